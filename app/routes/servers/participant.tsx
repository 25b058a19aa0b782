import { data } from "react-router";
import { figureWords } from "~/features/servers/evidence-pages/evidence-words";
import { callView } from "~/features/servers/explanation/call-view.server";
import { ExplanationList } from "~/features/servers/explanation/explanation-list";
import { isoOf } from "~/features/servers/iso-of";
import { Fact } from "~/features/servers/pages/server-sections";
import { Timeline } from "~/features/servers/session-pages/session-lists";
import {
  kindWords,
  nameWords,
  reasonWords,
  stayWords,
} from "~/features/servers/session-pages/session-words";
import { sessionsCrumbs } from "~/features/servers/session-pages/sessions-crumbs";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { useConsoleBase } from "~/ui/console/console-path";
import { Section } from "~/ui/console/section";
import { Moment } from "~/ui/moment";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/participant";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: pageTitle(loaderData ? `Call of ${nameWords(loaderData.participant.identity)}` : "Call"),
  },
  { name: "robots", content: "noindex" },
];

export const handle = { breadcrumbs: sessionsCrumbs } satisfies ConsoleHandle;

const unreadable =
  "This call cannot be read right now. Calls go on as before, and nothing of them is lost. Please try again in a moment.";

export async function loader({ context, params }: Route.LoaderArgs) {
  const view = await callView(context, params);
  if (view === undefined) throw data(unreadable, { status: 503 });
  if (view === null) throw data(null, { status: 404 });
  return view;
}

export default function Participant({ loaderData: view }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { participant, session, explanations, timeline, server, evidence } = view;
  const { identity, kind, joinedAt, isAborted } = participant;
  const page = `${base}/servers/${view.id}`;
  return (
    <div className="pt-8">
      <h1 className="text-2xl wrap-anywhere">{`Call of ${nameWords(identity)}`}</h1>
      <p className="mt-3 mb-6 flex flex-wrap gap-x-4 gap-y-1">
        <TextLink to={`${page}/sessions/${session.sid}`}>
          {`Session in ${nameWords(session.name)}`}
        </TextLink>
        <TextLink to={page}>{`Server: ${view.name}`}</TextLink>
      </p>
      <ExplanationList explanations={explanations} ended={endWordsOf(participant)} />
      <div className="mt-10">
        <Section id="call" title="The call">
          <dl className="border-t border-line text-sm">
            <Fact name="Identity">
              <span className="font-mono wrap-anywhere">{identity.replace(/^=/, "")}</span>
              {kindWords(kind) ? <span>{` ${kindWords(kind)}`}</span> : null}
            </Fact>
            <Fact name="Joined">
              <Moment at={isoOf(joinedAt)} />
            </Fact>
            <Fact name="Stayed">{isAborted ? "did not get through" : stayWords(participant)}</Fact>
            {evidence && evidence.state !== "failed" ? (
              <Fact name="By their app">
                <TextLink
                  to={`${page}/evidence?who=${encodeURIComponent(identity.replace(/^=/, ""))}`}
                >
                  {figureWords(evidence)}
                </TextLink>
              </Fact>
            ) : null}
            <Fact name="LiveKit's id">
              <span className="font-mono wrap-anywhere">{participant.sid}</span>
            </Fact>
          </dl>
          <div className="mt-6">
            <Timeline entries={timeline} />
          </div>
        </Section>
        <Section
          id="server"
          title="The server then"
          detail="What was wrong with it, and what changed on it, from a quarter of an hour before to one after."
        >
          {server.length === 0 ? (
            <p>Nothing was known to be wrong with it, and nothing changed.</p>
          ) : (
            <ul className="border-t border-line text-sm">
              {server.map(({ at, words }) => (
                <li
                  key={`${at} ${words}`}
                  className="grid gap-x-6 border-b border-line py-2.5 sm:grid-cols-[12rem_1fr]"
                >
                  <span className="text-ink-soft">
                    <Moment at={at} />
                  </span>
                  <span className="wrap-anywhere">{words}</span>
                </li>
              ))}
            </ul>
          )}
        </Section>
        <Section id="unknown" title="What cannot be known">
          <p className="max-w-prose">
            How this call sounded is in nothing that anybody reports. Which way it took, what was
            lost and from where, LiveKit does not tell its server: it is known where your app sends{" "}
            <TextLink to={`${page}/evidence`}>evidence of calls</TextLink>.{" "}
            <TestLink deployment={view.deployment} />{" "}
            <span>from their network says which ways it lets through, and</span>{" "}
            <TextLink to="/docs/explain-a-call">the documentation</TextLink> what each cause rests
            on.
          </p>
        </Section>
      </div>
    </div>
  );
}

/** How a call ended of which nothing is known to have gone wrong. */
function endWordsOf(participant: Route.ComponentProps["loaderData"]["participant"]): string {
  if (participant.leftAt === undefined) return "It goes on.";
  if (participant.isAssumed) return "It ended with the session.";
  if (participant.reason === "CLIENT_INITIATED") return "They left by themselves.";
  return `How it ended: ${reasonWords(participant)}.`;
}

/** A server without a deployment has no page for it. */
function TestLink({ deployment }: { deployment: string | undefined }) {
  const base = useConsoleBase();
  if (deployment === undefined) return <span>A connection test</span>;
  return (
    <TextLink to={`${base}/deployments/${deployment}/connection-test`} reloadDocument>
      A connection test
    </TextLink>
  );
}
