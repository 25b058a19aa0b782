import { useConsoleBase } from "~/ui/console/console-path";
import { TextLink } from "~/ui/primitives/text-link";
import type { AgentSession } from "../agent-sessions/agent-session";
import { durationWords } from "../incidents/incident-figures";
import { Fact } from "../pages/server-sections";
import {
  closeWords,
  errorWords,
  middleReply,
  type unrecordedAgents,
  usageWords,
} from "./agent-words";
import { nameWords } from "./session-words";

/** How the agents of a session fared. Their turns and tools are on its timeline; what was said is on the server alone. */
export function AgentSessions({
  agents,
  unrecorded,
  deployment,
}: {
  agents: readonly AgentSession[];
  unrecorded: ReturnType<typeof unrecordedAgents>;
  /** The deployment of the server, whose page reads what was said. A server without one takes no recordings. */
  deployment: string | undefined;
}) {
  return (
    <div className="space-y-8">
      {agents.map((agent) => (
        <AgentFacts key={agent.job} agent={agent} deployment={deployment} />
      ))}
      {unrecorded.count > 0 ? <Unrecorded {...unrecorded} /> : null}
    </div>
  );
}

function AgentFacts({
  agent,
  deployment,
}: {
  agent: AgentSession;
  deployment: string | undefined;
}) {
  const base = useConsoleBase();
  const { job, sdk, startedAt, endedAt, reason, errors, usage, entries, omitted } = agent;
  const reply = middleReply(agent);
  return (
    <section aria-label={`Agent ${agent.agent || job}`}>
      <dl className="border-t border-line text-sm">
        <Fact name="Agent">{agent.agent || "without a name"}</Fact>
        <Fact name="LiveKit's job">
          <span className="font-mono wrap-anywhere">{job}</span>
        </Fact>
        <Fact name="Lasted">
          {startedAt > 0 && endedAt > startedAt ? durationWords(endedAt - startedAt) : "not known"}
        </Fact>
        <Fact name="Ended because">{closeWords(reason)}</Fact>
        {reply ? <Fact name="A reply began after">{`${reply}, as the middle value`}</Fact> : null}
        <Fact name="Errors">{errorWords(errors)}</Fact>
        {usage.length > 0 ? (
          <Fact name="Used">{usage.map((each) => usageWords(each)).join("; ")}</Fact>
        ) : null}
        <Fact name="Agents SDK">{sdk || "not known"}</Fact>
        <Fact name="What was said">
          <span>On your server alone. </span>
          {deployment === undefined ? null : (
            <TextLink to={`${base}/deployments/${deployment}/recordings/${job}`} reloadDocument>
              {agent.hasAudio ? "Read and hear it there" : "Read it there"}
            </TextLink>
          )}
        </Fact>
        {agent.isIncomplete ? (
          <Fact name="Recording">Its end is missing: the disk was too slow.</Fact>
        ) : null}
      </dl>
      {entries.length > 0 ? null : (
        <p className="mt-4 text-sm">Nobody said anything, or the SDK did not send its turns.</p>
      )}
      {omitted > 0 ? (
        <p className="mt-3 text-sm">{`${omitted} more turns and tools are on the server alone.`}</p>
      ) : null}
    </section>
  );
}

function Unrecorded({ count, identities }: ReturnType<typeof unrecordedAgents>) {
  const whom = count === 1 ? "an agent" : `${count} agents`;
  const names = identities.map(nameWords).join(", ");
  return (
    <p className="max-w-prose text-sm wrap-anywhere">
      <span>{`Of ${whom} nothing was recorded${names ? `: ${names}.` : "."}`}</span>
      <span>
        {
          " Agent insights are off for this server, the agent does not have LIVEKIT_OBSERVABILITY_URL, it refuses, or its SDK is older than 1.5.1 for Python or 1.8.0 for JavaScript. Which of these it is says, on the server: "
        }
      </span>
      <code className="font-mono">sudo livekit-deploy insights check</code>
      <span>. </span>
      <TextLink to="/docs/agent-insights">Agent insights</TextLink>
    </p>
  );
}
