import { Form, useNavigation } from "react-router";
import { Section } from "~/ui/console/section";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextAreaField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { pressable, TextLink } from "~/ui/primitives/text-link";
import { CommandBox } from "../page/command-box";
import { embedSnippet } from "./embed";
import type { EmbedAnswer } from "./embed-forms.server";
import type { TestEmbed, Webhook } from "./embeds.server";

/** The test in the customer's own pages: what frames it, where its results go, and a way to end it. */
export function EmbedSection({
  embeds,
  webhooks,
  siteUrl,
  mayChange,
  answer,
}: {
  embeds: readonly TestEmbed[];
  /** Undefined while they cannot be read. */
  webhooks: readonly Webhook[] | undefined;
  siteUrl: string;
  mayChange: boolean;
  answer: EmbedAnswer | undefined;
}) {
  return (
    <Section
      id="embeds"
      title="In your own pages"
      detail="Your help page frames the test: no account, no cookie, and its results come here and to a webhook of yours."
    >
      {answer?.intent === "end-embed" ? (
        <Message kind={answer.message ? "failure" : "success"} className="mb-4">
          {answer.message ?? "The test in that page has ended. What was found by it stays."}
        </Message>
      ) : null}
      {answer?.intent === "embed" && !answer.message ? (
        <Message kind="success" className="mb-4">
          Pages of these sites may show the test now. Copy the line below into one of them.
        </Message>
      ) : null}
      {embeds.length === 0 ? <p>No page of yours shows the test.</p> : null}
      <ul>
        {embeds.map((embed) => (
          <EmbedLine key={embed.id} embed={embed} siteUrl={siteUrl} mayEnd={mayChange} />
        ))}
      </ul>
      {mayChange ? <EmbedForm webhooks={webhooks} answer={answer} /> : null}
    </Section>
  );
}

function EmbedLine({
  embed: { id, label, origins, webhook, isOpen },
  siteUrl,
  mayEnd,
}: {
  embed: TestEmbed;
  siteUrl: string;
  mayEnd: boolean;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <li className="grid gap-3 border-b border-line py-4">
      <div>
        <p className="font-strong wrap-anywhere">{isOpen ? label : `${label} (ended)`}</p>
        <p className="text-sm text-ink-soft wrap-anywhere">
          {`${origins.join(", ")} · ${webhook ? `results also to ${webhook}` : "results here alone"}`}
        </p>
      </div>
      {isOpen ? (
        <CommandBox text={embedSnippet(siteUrl, id)} label={`the line for ${label}`} />
      ) : null}
      {isOpen && mayEnd ? (
        <details className="text-sm">
          <summary className={`min-h-11 content-center wrap-anywhere ${pressable}`}>
            End the test in {label}
          </summary>
          <Form method="post" preventScrollReset className="grid justify-items-start gap-3 py-2">
            <input type="hidden" name="intent" value="end-embed" />
            <input type="hidden" name="embed" value={id} />
            <p>Whoever opens that page then reads that it has ended.</p>
            <Button type="submit" variant="danger" disabled={isBusy}>
              End it now
            </Button>
          </Form>
        </details>
      ) : null}
    </li>
  );
}

function EmbedForm({
  webhooks,
  answer,
}: {
  webhooks: readonly Webhook[] | undefined;
  answer: EmbedAnswer | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  const refusal = answer?.intent === "embed" ? answer.message : undefined;
  const typed = answer?.typed;
  return (
    <Form method="post" preventScrollReset className="mt-6 grid max-w-prose gap-6">
      <input type="hidden" name="intent" value="embed" />
      {refusal ? <Message kind="failure">{refusal}</Message> : null}
      <TextField
        name="label"
        label="What the page is"
        hint="For the lists here, such as help page."
        defaultValue={typed?.label}
        maxLength={80}
        required
      />
      <TextAreaField
        name="origins"
        label="Sites whose pages may show it"
        hint="One a line, such as https://help.example.com. No other page can frame the test."
        rows={2}
        defaultValue={typed?.origins}
        autoComplete="off"
        spellCheck={false}
        required
      />
      {webhooks && webhooks.length > 0 ? (
        <SelectField
          name="channel"
          label="Webhook that gets each result"
          hint="Signed, like your alerts there."
          blank="None: only the list here"
          options={webhooks.map(({ id, title }) => ({ value: id, label: title }))}
          defaultValue={typed?.channel}
        />
      ) : (
        <p className="text-sm text-ink-soft">
          {webhooks
            ? "To get each result as JSON, first add a webhook under Alerts."
            : "Your webhooks cannot be read right now, so results come to the list here alone."}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button type="submit" variant="secondary" disabled={isBusy}>
          Allow these pages
        </Button>
        <TextLink to="/docs/connection-test#in-your-own-pages" variant="standalone">
          How to put it into a page
        </TextLink>
      </div>
    </Form>
  );
}
