import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { AccountOutcome, TextedCode } from "../account-outcome";
import { AccountButton, AccountForm, accountSection, useReturn } from "../account-section";
import type { AccountView } from "../account-view.server";

/** The form that begins to set up a telephone as second factor. */
export function AddPhone({
  labels,
  value,
}: {
  labels: AccountView["words"]["phoneFactor"];
  value: string;
}) {
  return (
    <AccountForm
      section="second-factor"
      intent="enrol_phone"
      className="mt-8 grid max-w-dialog gap-4 border-t border-line pt-6"
    >
      <h3 className="font-strong">{labels.title}</h3>
      <p className="text-ink-soft">{labels.intro}</p>
      <TextField
        label={labels.phone}
        name="phone"
        type="tel"
        autoComplete="tel"
        maxLength={40}
        required
        defaultValue={value}
        hint={labels.phoneHint}
      />
      <div>
        <AccountButton variant="secondary">{labels.begin}</AccountButton>
      </div>
    </AccountForm>
  );
}

/** Waits for the first code that was texted to a telephone. */
export function PhoneTexted({
  outcome: { texted, message },
  words: { phoneFactor: labels, secondFactor },
}: {
  outcome: Extract<AccountOutcome, { state: "texted" }>;
  words: AccountView["words"];
}) {
  return (
    <Card>
      {message ? (
        <Message kind="failure" className="mb-4">
          {message}
        </Message>
      ) : null}
      <p className="font-strong wrap-anywhere">{labels.texted.replace("{phone}", texted.to)}</p>
      <AccountForm section="second-factor" intent="finish_phone" className="mt-5 grid gap-4">
        <TextedCodeFields texted={texted} labels={labels} />
        <div className="flex flex-wrap gap-3">
          <AccountButton>{secondFactor.finish}</AccountButton>
          <LinkButton variant="quiet" to={accountSection("second-factor", useReturn())}>
            {secondFactor.stop}
          </LinkButton>
        </div>
      </AccountForm>
    </Card>
  );
}

/** The field for a texted code, and the hidden ones that say which it is. */
export function TextedCodeFields({
  texted,
  labels,
}: {
  texted: TextedCode;
  labels: { code: string; codeHint: string };
}) {
  return (
    <>
      <input type="hidden" name="factorId" value={texted.factorId} />
      <input type="hidden" name="challengeId" value={texted.challengeId} />
      <TextField
        label={labels.code}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        required
        hint={labels.codeHint}
      />
    </>
  );
}
