import { useSyncExternalStore } from "react";
import { localDayAndTimeOf, localMomentOf, shortMomentOf, tickOf } from "~/ui/dates";

const never = () => () => undefined;

/** The reader's time zone; without script, and until it runs, UTC. */
export function useTimeZone(): string {
  return useSyncExternalStore(
    never,
    () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => "UTC",
  );
}

/** A time in the reader's time zone; without script, and until it runs, in UTC. */
export function Moment({ at }: { at: string }) {
  const moment = useSyncExternalStore(
    never,
    () => localMomentOf(new Date(at)),
    () => shortMomentOf(at),
  );
  return <time dateTime={at}>{moment}</time>;
}

/** The same, but of today only the time: what is live is nearly always of today. On paper it has its day too. */
export function RecentMoment({ at }: { at: string }) {
  const isToday = useSyncExternalStore(
    never,
    () => localDayAndTimeOf(new Date(at), new Date()).isToday,
    () => false,
  );
  if (!isToday) return <Moment at={at} />;
  const { day, time } = localDayAndTimeOf(new Date(at), new Date());
  return (
    <time dateTime={at} title={localMomentOf(new Date(at))}>
      <span className="hidden print:inline">{day}, </span>
      {time}
    </time>
  );
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
      <span>{day}</span>
      {onlyDay ? (
        <span>{zone}</span>
      ) : (
        <span>
          <br />
          {time}
          {zone}
        </span>
      )}
    </time>
  );
}
