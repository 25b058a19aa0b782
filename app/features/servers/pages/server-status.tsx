import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Message } from "~/ui/primitives/message";
import type { StateWords } from "./state-words";
import type { NamedServer } from "./workspace-fleet.server";

/** What a server is like, in words. */
export function ServerStateBadge({ state: { words, since, variant } }: { state: StateWords }) {
  return (
    <Badge variant={variant}>
      <span>{words}</span>
      {since ? (
        <span>
          {" "}
          <RecentMoment at={since} />
        </span>
      ) : null}
    </Badge>
  );
}

/** What a list says while the servers Worker cannot be reached: which servers there are. */
export function UnreadServers({ savedServers }: { savedServers: readonly NamedServer[] }) {
  return (
    <>
      <Message kind="warning" className="mt-4">
        Your servers cannot be read right now. They run as before. Please try again in a moment.
      </Message>
      {savedServers.length > 0 ? (
        <ul className="mt-4 border-t border-line">
          {savedServers.map(({ id, name }) => (
            <li key={id} className="border-b border-line py-3 wrap-anywhere">
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** Reports do not reach us, which is ours to mend. Nothing is wrong with anybody's server. */
export function IngestOutageMessage({ since }: { since: string }) {
  return (
    <Message kind="neutral" className="mt-4">
      Reports do not reach us since <RecentMoment at={since} />: our fault. Your servers run as
      before, and nobody is paged.
    </Message>
  );
}
