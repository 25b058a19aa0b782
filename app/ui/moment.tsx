import { useSyncExternalStore } from "react";
import { localMomentOf, shortMomentOf, tickOf } from "~/ui/dates";

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

/** A time below a chart: the day, and the time under it, in the same zones as `Moment`. */
export function Tick({
  at,
  onlyDay,
  align = "",
}: {
  at: string;
  onlyDay: boolean;
  align?: string | undefined;
}) {
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const { day, time } = tickOf(new Date(at), isHere ? undefined : "UTC");
  const zone = isHere ? "" : " UTC";
  return (
    <time dateTime={at} className={align}>
      {day}
      {onlyDay ? (
        zone
      ) : (
        <>
          <br />
          {time}
          {zone}
        </>
      )}
    </time>
  );
}
