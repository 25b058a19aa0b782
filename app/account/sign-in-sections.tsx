import { Form, useLocation } from "react-router";
import { TextField } from "~/components/fields";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  RecentOnly,
  type SectionProps,
  SignInAgain,
} from "./account-section";

const column = "grid max-w-dialog gap-4 justify-items-start *:w-full [&_button]:w-auto";

export function EmailSection(props: SectionProps) {
  const { email, words } = props.view;
  const { outcome } = props;
  const typed = outcome?.section === "email" && "typed" in outcome ? outcome.typed : "";
  return (
    <AccountSection id="email" title={words.email.title} intro={words.email.intro} {...props}>
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-mono wrap-anywhere">{email.address}</span>
        <span
          className={`rounded-sm px-2.5 py-1 text-sm font-strong ${
            email.confirmed ? "bg-signal-well text-signal" : "bg-warning-well text-warning"
          }`}
        >
          {email.confirmed ? words.email.confirmed : words.email.unconfirmed}
        </span>
      </p>
      {email.pending ? (
        <p className="mt-4 max-w-prose border-l-2 border-warning pl-4 wrap-anywhere">
          {email.pending}
        </p>
      ) : null}
      <AccountForm section="email" intent="change_email" className={`mt-6 ${column}`}>
        <TextField
          key={useLocation().key}
          label={words.email.label}
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
          defaultValue={typed}
          hint={words.email.hint}
        />
        <div>
          <AccountButton look="secondary">{words.email.button}</AccountButton>
        </div>
      </AccountForm>
    </AccountSection>
  );
}

export function PasswordSection(props: SectionProps) {
  const { recent, words, email } = props.view;
  const { password } = words;
  // After every answer the fields are empty again.
  const answer = useLocation().key;
  return (
    <AccountSection id="password" title={password.title} intro={password.intro} {...props}>
      {recent ? <p className="mb-5 text-ink-soft">{password.recent}</p> : null}
      <AccountForm section="password" intent="change_password" className={column}>
        <input type="hidden" name="username" autoComplete="username" value={email.address} />
        {recent ? null : (
          <TextField
            key={`current ${answer}`}
            label={password.current}
            name="current"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
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
          <AccountButton look="secondary">{password.button}</AccountButton>
        </div>
      </AccountForm>
      {recent ? null : (
        <div className="mt-6">
          <p className="mb-3 text-ink-soft">{password.again}</p>
          <SignInAgain words={words} />
        </div>
      )}
    </AccountSection>
  );
}

export function IdentitiesSection(props: SectionProps) {
  const { identities, linkable, recent, words } = props.view;
  const notOffered =
    props.outcome?.section === "identities" && props.outcome.state === "not-offered";
  const labels = words.identities;
  return (
    <AccountSection id="identities" title={labels.title} intro={labels.intro} {...props}>
      <ul className="divide-y divide-line rounded-lg border border-line bg-raised">
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
                <AccountButton look="danger">
                  {labels.unlink.replace("{provider}", identity.name)}
                </AccountButton>
              </AccountForm>
            ) : null}
          </li>
        ))}
      </ul>
      {identities.length === 1 ? <p className="mt-3 text-ink-soft">{labels.only}</p> : null}
      {notOffered ? (
        <p role="status" className="mt-5 max-w-prose border-l-2 border-line-strong pl-4">
          {labels.notOffered}
        </p>
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
            <AccountButton key={provider} look="secondary" name="provider" value={provider}>
              {labels.link.replace("{provider}", name)}
            </AccountButton>
          ))}
        </AccountForm>
      ) : null}
    </AccountSection>
  );
}

export function SessionsSection(props: SectionProps) {
  const { here, words } = props.view;
  const { sessions } = words;
  return (
    <AccountSection id="sessions" title={sessions.title} intro={sessions.intro} {...props}>
      {here ? <p className="mb-5">{here}</p> : null}
      <div className="flex flex-wrap gap-3">
        {(["others", "global"] as const).map((scope) => (
          <Form key={scope} method="post" action="/signout" reloadDocument>
            <input type="hidden" name="scope" value={scope} />
            <input type="hidden" name="next" value="/dashboard/account#sessions" />
            <AccountButton look="secondary">
              {scope === "others" ? sessions.others : sessions.everywhere}
            </AccountButton>
          </Form>
        ))}
      </div>
    </AccountSection>
  );
}
