import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import type { StateWords } from "./state-words";

/** What a server is like, in words. */
export function ServerStateBadge({ state: { words, since, variant } }: { state: StateWords }) {
  return (
    <Badge variant={variant}>
      {words}
      {since ? (
        <>
          {" "}
          <RecentMoment at={since} />
        </>
      ) : null}
    </Badge>
  );
}
