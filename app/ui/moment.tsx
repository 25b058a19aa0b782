import { useSyncExternalStore } from "react";
import { localMomentOf, shortMomentOf } from "~/ui/dates";

const never = () => () => undefined;

/** A time in the time zone of whoever looks; without script, and until it runs, in UTC. */
export function Moment({ at }: { at: string }) {
  const shown = useSyncExternalStore(
    never,
    () => localMomentOf(new Date(at)),
    () => shortMomentOf(at),
  );
  return <time dateTime={at}>{shown}</time>;
}
