import { data } from "react-router";
import { findCommand } from "~/features/servers/layout/layout";
import { HashSearch } from "~/features/servers/session-pages/hash-search";
import { DaySumTable, SessionTable } from "~/features/servers/session-pages/session-lists";
import { searchWith } from "~/features/servers/session-pages/session-query";
import { hasName } from "~/features/servers/session-pages/session-words";
import { sessionsCrumbs } from "~/features/servers/session-pages/sessions-crumbs";
import { sessionsView } from "~/features/servers/session-pages/sessions-view.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { LinkButton } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/sessions";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData ? `Sessions of ${loaderData.name}` : "Sessions") },
  { name: "robots", content: "noindex" },
];

export const handle = { breadcrumbs: sessionsCrumbs } satisfies ConsoleHandle;

const unreadable =
  "The sessions cannot be read right now. Calls go on as before, and nothing of them is lost. Please try again in a moment.";

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const view = await sessionsView(context, params.id, new URL(request.url).searchParams);
  if (view === undefined) throw data(unreadable, { status: 503 });
  if (view === null) throw data(null, { status: 404 });
  return view;
}

export default function Sessions({ loaderData: view }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { id, name, typed, sessions, next, days } = view;
  const page = `${base}/servers/${id}`;
  const hasAny = days.length > 0;
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl wrap-anywhere">{`Sessions of ${name}`}</h1>
        {hasAny ? (
          <LinkButton to={`${page}/sessions.csv`} reloadDocument variant="secondary">
            Download as CSV
          </LinkButton>
        ) : null}
      </div>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        Who was in which room of this server, when and why they left, for 90 days.
      </p>
      <p className="mt-2 max-w-prose text-sm">
        {sessions.some(({ name }) => hasName(name)) ? (
          <span>The names of rooms and people are sent, as the deployment says: Send names. </span>
        ) : hasAny ? (
          <span>
            Names stay on the server: here are six characters of their hashes. On the server{" "}
            <code>{findCommand(view.deployment)}</code> says which hash a name has.{" "}
          </span>
        ) : null}
        <TextLink to="/docs/data-processing">What is kept, and where</TextLink>
      </p>
      {hasAny ? (
        <>
          <HashSearch
            name="name"
            label="Room or person, by hash"
            value={typed.name}
            day={typed.day}
            action="Filter"
          />
          {sessions.length === 0 ? (
            <p className="mt-6">
              <span>{typed.before ? "There are no older ones. " : "No session matches. "}</span>
              <TextLink to="?">Show all</TextLink>
            </p>
          ) : (
            <SessionTable sessions={sessions} pathOf={(sid) => `${page}/sessions/${sid}`} />
          )}
          <nav aria-label="Pages of sessions" className="mt-4 flex flex-wrap gap-6 print:hidden">
            {typed.before ? <TextLink to={searchWith(typed) || "?"}>The newest</TextLink> : null}
            {next ? <TextLink to={searchWith(typed, next)}>Older ones</TextLink> : null}
          </nav>
          <div className="mt-10">
            <Section
              id="sums"
              title="Sums by day"
              detail="Of the last 30 days with sessions. A session counts on the day on which it began, minutes in the days in which they were spent. Lost are events that waited so long for the console that newer ones took their place."
              wide
            >
              <DaySumTable days={days} />
            </Section>
          </div>
        </>
      ) : (
        <p className="mt-8 max-w-prose">
          <span>No session has been reported yet. </span>
          {view.deployment === undefined ? (
            <Needed taken={view.taken} page={page} />
          ) : (
            <span>
              A connected server reports them from its next restart of LiveKit on, if its files are
              of 28 November 2026 or later and its deployment does not say otherwise.
            </span>
          )}
        </p>
      )}
    </div>
  );
}

/** What sessions of a server that was connected as it was need. */
function Needed({ taken, page }: { taken: string | undefined; page: string }) {
  if (taken === "yes") {
    return (
      <span>
        The next call appears here. If none does, LiveKit was not restarted since, or a firewall on
        the machine closes the address that its configuration has.
      </span>
    );
  }
  if (taken !== undefined) {
    return (
      <>
        <span>They need what the page of this server shows: </span>
        <TextLink to={`${page}#missing`}>What is missing</TextLink>
      </>
    );
  }
  return (
    <>
      <span>LiveKit in Kubernetes, or in containers without root, sends none. </span>
      <TextLink to="/docs/connect-existing#sessions">What sessions need</TextLink>
    </>
  );
}
