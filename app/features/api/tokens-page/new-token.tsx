import { Form, useNavigation } from "react-router";
import { PageSection, RecentOnly } from "~/features/workspaces/page-parts";
import { Button } from "~/ui/primitives/button";
import { CopyButton } from "~/ui/primitives/copy-button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { scopes } from "../scopes";
import { endChoices, usualEnd } from "./choices";
import type { TokenOutcome } from "./token-changes.server";
import type { TokensView } from "./tokens-view.server";

/** The form that makes a token, and the token that was just made. It works without JavaScript. */
export function NewToken({
  view: { words },
  isRecent,
  outcome,
}: {
  view: TokensView;
  isRecent: boolean;
  outcome: TokenOutcome | undefined;
}) {
  const labels = words.tokens;
  const isSending = useNavigation().state !== "idle";
  const refused = outcome?.ok === false && outcome.intent !== "revoke-token" ? outcome : undefined;
  const token = outcome?.ok && "token" in outcome ? outcome.token : undefined;
  const typed = refused?.typed;
  return (
    <PageSection id="make" title={labels.make} failure={refused?.message}>
      {token ? (
        <Message kind="success" className="mb-6">
          <p>{labels.made}</p>
          <p className="mt-2 flex flex-wrap items-center gap-3">
            <code className="min-w-0 break-all text-ink">{token}</code>
            <CopyButton text={token} label={labels.copy} />
          </p>
        </Message>
      ) : null}
      {isRecent || typed ? (
        <Form
          key={token ?? "new"}
          method="post"
          action="#make"
          noValidate
          preventScrollReset
          className="grid max-w-dialog gap-5"
        >
          <input type="hidden" name="intent" value="make-token" />
          <TextField
            name="name"
            label={labels.name}
            hint={labels.nameHint}
            maxLength={60}
            autoComplete="off"
            required
            defaultValue={typed?.name}
          />
          <fieldset>
            <legend className="font-strong">{labels.scopes}</legend>
            <ul className="mt-1.5">
              {scopes.map((scope) => (
                <li key={scope}>
                  <label className="flex min-h-11 items-start gap-3 py-2">
                    <input
                      type="checkbox"
                      name={scope}
                      value="yes"
                      defaultChecked={typed?.scopes.includes(scope)}
                      className="mt-1 size-4 shrink-0 accent-signal"
                    />
                    <span>
                      {labels.scopeWords[scope]}{" "}
                      <code className="text-sm text-ink-soft">{scope}</code>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
          <SelectField
            name="days"
            label={labels.end}
            hint={labels.endHint}
            options={endChoices.map((value) => ({ value, label: labels.ends[value] }))}
            defaultValue={typed?.days || usualEnd}
          />
          <div>
            <Button type="submit" variant="secondary" disabled={isSending}>
              {labels.button}
            </Button>
          </div>
        </Form>
      ) : null}
      {isRecent ? null : <RecentOnly words={words} />}
    </PageSection>
  );
}
