import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  RecentOnly,
  type SectionProps,
} from "./account-section";

export function DeletionSection(props: SectionProps) {
  const { recent, words, confirmation, workspacesInTheWay, workspacesAlone } = props.view;
  const { outcome } = props;
  const value = outcome?.section === "deletion" && "value" in outcome ? outcome.value : "";
  const { deletion } = words;
  const alone = deletion.alone.replace("{workspaces}", () => workspacesAlone.join(", "));
  const [plans, ...others] = deletion.consequences;
  const consequences = [plans, ...(workspacesAlone.length > 0 ? [alone] : []), ...others];
  return (
    <AccountSection id="deletion" title={deletion.title} intro={deletion.intro} {...props}>
      <ol className="list-decimal pl-5">
        {consequences.map((consequence) => (
          <li key={consequence} className="mb-1.5 pl-1 wrap-anywhere">
            {consequence}
          </li>
        ))}
      </ol>
      <p className="mt-3 max-w-prose text-ink-soft">{deletion.kept}</p>
      {workspacesInTheWay.length > 0 ? (
        <Message kind="warning" className="mt-5">
          <p>{deletion.workspaces}</p>
          <ul className="mt-1.5 list-disc pl-5">
            {workspacesInTheWay.map(({ name, base }) => (
              <li key={base}>
                <TextLink to={`${base}/settings`} className="wrap-anywhere">
                  {deletion.workspace.replace("{workspace}", () => name)}
                </TextLink>
              </li>
            ))}
          </ul>
        </Message>
      ) : null}
      {recent ? (
        <AccountForm
          section="deletion"
          intent="delete"
          reloadDocument
          className="mt-6 grid max-w-dialog gap-4"
        >
          <TextField
            key={value}
            label={deletion.label}
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            required
            defaultValue={value}
            hint={
              <span className="wrap-anywhere">
                {deletion.hint.replace("{address}", confirmation)}
              </span>
            }
          />
          <div>
            <AccountButton variant="danger">{deletion.button}</AccountButton>
          </div>
        </AccountForm>
      ) : (
        <RecentOnly words={words} />
      )}
    </AccountSection>
  );
}
