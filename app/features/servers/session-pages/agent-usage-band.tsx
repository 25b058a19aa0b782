import { Band } from "~/ui/primitives/band";
import { Message } from "~/ui/primitives/message";
import { Table } from "~/ui/primitives/table";
import { TextLink } from "~/ui/primitives/text-link";
import type { AgentSession } from "../agent-sessions/agent-session";
import { countWords } from "./agent-words";

/** What agents on the workspace's servers used in the days of the page. Nothing where no server says anything of agents. */
export function AgentUsageBand({
  usage,
  from,
  to,
}: {
  /** Undefined where it could not be read. */
  usage: AgentSession["usage"] | undefined;
  from: string;
  to: string;
}) {
  if (usage?.length === 0) return null;
  return (
    <Band
      id="agents-on-servers"
      title="Used by agents on your servers"
      detail={
        <p className="mt-4 max-w-prose text-ink-soft">
          From <TextLink to="/docs/agent-insights">agent insights</TextLink>, of sessions that began
          in these days, for 90 days. An agent that also reports its usage itself is in both.
        </p>
      }
    >
      {usage ? (
        <Table
          caption={`What each model was used for from ${from} to ${to}`}
          columns={["Model", "Used"]}
        >
          <tbody>
            {usage.map(({ model, counts }) => (
              <tr key={model}>
                <th scope="row">{model || "Without a name"}</th>
                <td>{countWords(counts)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      ) : (
        <Message kind="failure">
          What agents on your servers used cannot be read right now. Please try again in a moment.
        </Message>
      )}
    </Band>
  );
}
