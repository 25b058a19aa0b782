import { Form, useNavigation } from "react-router";
import { NewSecret, PageSection, RecentOnly } from "~/features/workspaces/page-parts";
import { Button } from "~/ui/primitives/button";
import { CheckboxFields } from "~/ui/primitives/checkbox-fields";
import { SelectField, TextField } from "~/ui/primitives/fields";
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
      {token ? <NewSecret says={labels.made} secret={token} copy={labels.copy} /> : null}
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
          <CheckboxFields
            legend={labels.scopes}
            names={scopes}
            label={(scope) => (
              <span>
                {labels.scopeWords[scope]} <code className="text-sm text-ink-soft">{scope}</code>
              </span>
            )}
            checked={typed?.scopes ?? []}
          />
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
