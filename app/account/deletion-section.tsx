import { TextField } from "~/components/fields";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  type SectionProps,
  SignInAgain,
} from "./account-section";

export function DeletionSection(props: SectionProps) {
  const { recent, words, email } = props.view;
  const { outcome } = props;
  const typed = outcome?.section === "deletion" && "typed" in outcome ? outcome.typed : "";
  const { deletion } = words;
  return (
    <AccountSection id="deletion" title={deletion.title} intro={deletion.intro} {...props}>
      <ol className="list-decimal pl-5">
        {deletion.consequences.map((consequence) => (
          <li key={consequence} className="mb-1.5 pl-1">
            {consequence}
          </li>
        ))}
      </ol>
      <p className="mt-3 max-w-prose text-ink-soft">{deletion.kept}</p>
      {recent ? (
        <AccountForm
          section="deletion"
          intent="delete"
          reloadDocument
          className="mt-6 grid max-w-dialog gap-4"
        >
          <TextField
            key={typed}
            label={deletion.label}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            required
            defaultValue={typed}
            hint={
              <span className="wrap-anywhere">
                {deletion.hint.replace("{address}", email.address)}
              </span>
            }
          />
          <div>
            <AccountButton look="danger">{deletion.button}</AccountButton>
          </div>
        </AccountForm>
      ) : (
        <div className="mt-6">
          <p className="mb-3">{deletion.again}</p>
          <SignInAgain words={words} />
        </div>
      )}
    </AccountSection>
  );
}
