import { Form } from "react-router";
import { Badge } from "~/ui/primitives/badge";
import { Card } from "~/ui/primitives/card";
import {
  AccountButton,
  AccountForm,
  AccountSection,
  RecentOnly,
  type SectionProps,
} from "./account-section";
import type { AccountView } from "./account-view.server";

type Listed = NonNullable<AccountView["sessions"]>["listed"][number];

export function SessionsSection(props: SectionProps) {
  const { proved, recent, sessions, words } = props.view;
  const labels = words.sessions;
  const others = sessions?.listed.some(({ here }) => !here) ?? false;
  return (
    <AccountSection id="sessions" title={labels.title} intro={labels.intro} {...props}>
      {sessions ? (
        <>
          <Card as="ul" flush className="divide-y divide-line">
            {sessions.listed.map((session) => (
              <li key={session.id} className="p-4 sm:px-6">
                <ListedSession session={session} view={props.view} />
              </li>
            ))}
          </Card>
          <p className="mt-3 text-sm text-ink-soft">
            {proved} {labels.usedHint}
          </p>
          {sessions.more ? <p className="mt-3">{labels.more}</p> : null}
        </>
      ) : (
        <p>{labels.unreadable}</p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {(["others", "global"] as const).map((scope) => (
          <Form key={scope} method="post" action="/signout" reloadDocument>
            <input type="hidden" name="scope" value={scope} />
            <input type="hidden" name="next" value="/dashboard/account#sessions" />
            <AccountButton variant="secondary">
              {scope === "others" ? labels.others : labels.everywhere}
            </AccountButton>
          </Form>
        ))}
      </div>
      {others && !recent ? <RecentOnly words={words} /> : null}
    </AccountSection>
  );
}

function ListedSession({ session, view }: { session: Listed; view: AccountView }) {
  const labels = view.words.sessions;
  const facts: [string, string][] = [
    [labels.signedIn, session.signedIn],
    [labels.used, session.used],
    [labels.address, session.address ?? labels.unknownAddress],
  ];
  if (view.factors.length > 0) {
    facts.push([labels.secondFactor, session.secondFactor ? labels.given : labels.notGiven]);
  }
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-strong">
          <span>{session.device}</span>
          {session.here ? <Badge variant="success">{labels.here}</Badge> : null}
        </p>
        <dl className="mt-2 grid gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[auto_1fr]">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-ink-soft">{label}</dt>
              <dd
                className={`wrap-anywhere ${label === labels.address && session.address ? "font-mono" : ""}`}
              >
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {session.here || !view.recent ? null : (
        <AccountForm section="sessions" intent="end_session">
          <input type="hidden" name="session" value={session.id} />
          <AccountButton variant="danger">
            {labels.end} <span className="sr-only">({session.device})</span>
          </AccountButton>
        </AccountForm>
      )}
    </div>
  );
}
