import { LinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  accountSection,
  RecentOnly,
  type SectionProps,
  useReturn,
} from "./account-section";

/** The phone number that signs in, and its change by a code that is texted to the new one. */
export function PhoneSection({ number, ...props }: SectionProps & { number: string | undefined }) {
  const { recent, isManaged, words } = props.view;
  const { phone: labels } = words;
  const mine = props.outcome?.section === "phone" ? props.outcome : undefined;
  const next = useReturn();
  const column = "mt-6 grid max-w-dialog gap-4";
  if (isManaged) {
    return <AccountSection id="phone" title={labels.title} intro={words.managed} {...props} />;
  }
  return (
    <AccountSection id="phone" title={labels.title} intro={labels.intro} {...props}>
      <p className={number ? "font-mono" : ""}>{number ?? labels.none}</p>
      {mine?.state === "phone-texted" ? (
        <AccountForm section="phone" intent="finish_phone_change" className={column}>
          {mine.message ? <Message kind="failure">{mine.message}</Message> : null}
          <p className="wrap-anywhere">{labels.texted.replace("{phone}", mine.phone)}</p>
          <input type="hidden" name="phone" value={mine.phone} />
          <TextField
            label={labels.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            required
            hint={labels.codeHint}
          />
          <div className="flex flex-wrap gap-3">
            <AccountButton>{labels.finish}</AccountButton>
            <LinkButton variant="quiet" to={accountSection("phone", next)}>
              {words.secondFactor.stop}
            </LinkButton>
          </div>
        </AccountForm>
      ) : recent ? (
        <AccountForm section="phone" intent="change_phone" className={column}>
          <TextField
            label={labels.label}
            name="phone"
            type="tel"
            autoComplete="tel"
            maxLength={40}
            required
            defaultValue={mine && "value" in mine ? mine.value : ""}
            hint={labels.hint}
          />
          <div>
            <AccountButton variant="secondary">{labels.button}</AccountButton>
          </div>
        </AccountForm>
      ) : (
        <RecentOnly words={words} />
      )}
    </AccountSection>
  );
}
