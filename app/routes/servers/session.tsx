import { data } from "react-router";
import { callEntry } from "~/features/servers/evidence-pages/call-entry";
import { SessionCalls } from "~/features/servers/evidence-pages/evidence-lists";
import { evidenceOfSession } from "~/features/servers/evidence-pages/evidence-view.server";
import { isoOf } from "~/features/servers/iso-of";
import { Fact } from "~/features/servers/pages/server-sections";
import { AgentSessions } from "~/features/servers/session-pages/agent-sections";
import {
  LengthWords,
  ParticipantTable,
  Timeline,
} from "~/features/servers/session-pages/session-lists";
import { minuteWords, nameWords } from "~/features/servers/session-pages/session-words";
import { sessionsCrumbs } from "~/features/servers/session-pages/sessions-crumbs";
import { sessionView } from "~/features/servers/session-pages/sessions-view.server";
import { inOrder } from "~/features/servers/session-pages/timeline";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { Moment } from "~/ui/moment";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/session";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: pageTitle(loaderData ? `Session in ${nameWords(loaderData.session.name)}` : "Session") },
  { name: "robots", content: "noindex" },
];

export const handle = { breadcrumbs: sessionsCrumbs } satisfies ConsoleHandle;

const unreadable =
  "This session cannot be read right now. Calls go on as before, and nothing of them is lost. Please try again in a moment.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const view = await sessionView(context, params.id, params.session);
  if (view === undefined) throw data(unreadable, { status: 503 });
  if (view === null) throw data(null, { status: 404 });
  const evidence = await evidenceOfSession(context, params.id, params.session);
  const timeline = inOrder([...view.timeline, ...evidence.calls.map(callEntry)]);
  return { ...view, evidence, timeline };
}

export default function Session({ loaderData: view }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { session, participants, more, timeline, agents, unrecorded, evidence } = view;
  const page = `${base}/servers/${view.id}`;
  return (
    <div className="pt-8">
      <h1 className="text-2xl wrap-anywhere">{`Session in ${nameWords(session.name)}`}</h1>
      <p className="mt-3">
        <TextLink to={page}>{`Server: ${view.name}`}</TextLink>
      </p>
      <div className="mt-8">
        <Section id="facts" title="When and how many">
          <dl className="border-t border-line text-sm">
            <Fact name="Room">
              <span className="font-mono wrap-anywhere">{session.name.replace(/^=/, "")}</span>
            </Fact>
            <Fact name="LiveKit's id">
              <span className="font-mono wrap-anywhere">{session.sid}</span>
            </Fact>
            <Fact name="Began">
              <Moment at={isoOf(session.startedAt)} />
            </Fact>
            <Fact name="Lasted">
              <LengthWords session={session} />
            </Fact>
            <Fact name="Participants">{`${session.joined}, ${session.peak} at once at most`}</Fact>
            <Fact name="Did not get through">{session.aborted}</Fact>
            <Fact name="Participant-minutes">{minuteWords(session)}</Fact>
          </dl>
        </Section>
        <Section
          id="participants"
          title="Who was in it"
          detail="Each identity leads to why that call was as it was."
          wide
        >
          {participants.length > 0 ? (
            <ParticipantTable
              participants={participants}
              pathOf={(sid) => `${page}/sessions/${session.sid}/${sid}`}
            />
          ) : (
            <p>Nobody.</p>
          )}
          {more > 0 ? (
            <p className="mt-3 text-sm">
              <span>{`${more} more are in the file: `}</span>
              <TextLink to={`${page}/sessions.csv`} reloadDocument>
                CSV
              </TextLink>
            </p>
          ) : null}
        </Section>
        {agents.length + unrecorded.count > 0 ? (
          <Section id="agents" title="What its agents did" wide>
            <AgentSessions agents={agents} unrecorded={unrecorded} deployment={view.deployment} />
          </Section>
        ) : null}
        {evidence.calls.length > 0 ? (
          <Section
            id="ways"
            title="Which way their calls took"
            detail="As their own app said. Press a person to read what it means."
            wide
          >
            <SessionCalls
              calls={evidence.calls}
              pathOf={(identity) =>
                `${page}/evidence?who=${encodeURIComponent(identity.replace(/^=/, ""))}`
              }
            />
            {evidence.moreCalls > 0 ? (
              <p className="mt-3 text-sm">{`The newest ${evidence.calls.length}; ${evidence.moreCalls} more are found by person.`}</p>
            ) : null}
          </Section>
        ) : null}
        <Section id="timeline" title="What happened">
          <Timeline entries={timeline} />
        </Section>
      </div>
    </div>
  );
}
