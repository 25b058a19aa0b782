import { useLocation } from "react-router";
import { Badge } from "~/ui/primitives/badge";
import { Card } from "~/ui/primitives/card";
import { TextField } from "~/ui/primitives/fields";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  Managed,
  RecentOnly,
  type SectionProps,
  SignInAgain,
} from "./account-section";

const column = "grid max-w-dialog gap-4 justify-items-start *:w-full [&_button]:w-auto";

export function EmailSection(props: SectionProps) {
  const { email, recent, isManaged, words } = props.view;
  const { outcome } = props;
  // When the sign-in is too long ago for this, the typed address is shown again.
  const value = outcome?.section === "email" && "value" in outcome ? outcome.value : "";
  const answer = useLocation().key;
  return (
    <AccountSection id="email" title={words.email.title} intro={words.email.intro} {...props}>
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-mono wrap-anywhere">{email.address}</span>
        <Badge variant={email.confirmed ? "success" : "warning"}>
          {email.confirmed ? words.email.confirmed : words.email.unconfirmed}
        </Badge>
      </p>
      {email.pending ? (
        <p className="mt-4 max-w-prose border-l-2 border-warning pl-4 wrap-anywhere">
          {email.pending}
        </p>
      ) : null}
      {isManaged ? (
        <Managed words={words} />
      ) : recent || value ? (
        <AccountForm section="email" intent="change_email" className={`mt-6 ${column}`}>
          <TextField
            key={answer}
            label={words.email.label}
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            required
            defaultValue={value}
            hint={words.email.hint}
          />
          <div>
            <AccountButton variant="secondary">{words.email.button}</AccountButton>
          </div>
        </AccountForm>
      ) : null}
      {recent || isManaged ? null : <RecentOnly words={words} />}
    </AccountSection>
  );
}

export function PasswordSection(props: SectionProps) {
  const { password: asks, words, email, isManaged } = props.view;
  const { password } = words;
  // A new key after each answer empties the fields.
  const answer = useLocation().key;
  const { outcome } = props;
  const failed = outcome?.section === "password" && outcome.state === "failed";
  const wrongCurrent = failed && outcome.field === "current" ? outcome.message : undefined;
  if (isManaged) {
    return <AccountSection id="password" title={password.title} intro={words.managed} {...props} />;
  }
  return (
    <AccountSection id="password" title={password.title} intro={password.intro} {...props}>
      {asks.note ? <p className="mb-5 max-w-prose text-ink-soft">{asks.note}</p> : null}
      {asks.proof === "sign-in" ? (
        <RecentOnly words={words} />
      ) : (
        <AccountForm section="password" intent="change_password" className={column}>
          <input type="hidden" name="username" autoComplete="username" value={email.address} />
          {asks.proof === "current" || wrongCurrent ? (
            <TextField
              key={`current ${answer}`}
              label={password.current}
              name="current"
              type="password"
              autoComplete="current-password"
              required
              error={wrongCurrent}
            />
          ) : null}
          <TextField
            key={answer}
            label={password.label}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            hint={password.hint}
          />
          <div>
            <AccountButton variant="secondary">{password.button}</AccountButton>
          </div>
        </AccountForm>
      )}
      {asks.proof === "current" ? (
        <div className="mt-6">
          <p className="mb-3 max-w-prose text-ink-soft">{password.again}</p>
          <SignInAgain words={words} />
        </div>
      ) : null}
    </AccountSection>
  );
}

export function IdentitiesSection(props: SectionProps) {
  const { identities, linkable, recent, isManaged, words } = props.view;
  const labels = words.identities;
  return (
    <AccountSection id="identities" title={labels.title} intro={labels.intro} {...props}>
      <Card as="ul" flush className="divide-y divide-line">
        {identities.map((identity) => (
          <li
            key={identity.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:px-6"
          >
            <div className="min-w-0">
              <p className="font-strong">{identity.name}</p>
              <p className="text-sm wrap-anywhere text-ink-soft">
                {identity.detail ? <span className="font-mono">{identity.detail}</span> : null}
                {identity.since ? (
                  <span className="block">{labels.since.replace("{time}", identity.since)}</span>
                ) : null}
              </p>
            </div>
            {identity.removable && recent ? (
              <AccountForm section="identities" intent="unlink">
                <input type="hidden" name="identity" value={identity.id} />
                <AccountButton variant="danger">
                  {labels.unlink.replace("{provider}", identity.name)}
                </AccountButton>
              </AccountForm>
            ) : null}
          </li>
        ))}
      </Card>
      {identities.length === 1 && !isManaged ? (
        <p className="mt-3 text-ink-soft">{labels.only}</p>
      ) : null}
      {isManaged ? (
        <Managed words={words} />
      ) : !recent ? (
        <RecentOnly words={words} />
      ) : linkable.length > 0 ? (
        <AccountForm
          section="identities"
          intent="link"
          reloadDocument
          className="mt-5 flex flex-wrap gap-3"
        >
          {linkable.map(({ provider, name }) => (
            <AccountButton key={provider} variant="secondary" name="provider" value={provider}>
              {labels.link.replace("{provider}", name)}
            </AccountButton>
          ))}
        </AccountForm>
      ) : null}
    </AccountSection>
  );
}
