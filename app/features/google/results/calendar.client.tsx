import { weekdayOf } from "~/ui/dates";
import type { Availability, CreatedEvent } from "../tools/calendar.server";
import { weekOf } from "../tools/week";
import type { ToolViews, ViewProps } from "./view";
import { Week } from "./week.client";

function TimeZone() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return <p className="text-sm text-ink-soft">Times are those of your time zone, {timeZone}.</p>;
}

function Created({ result }: ViewProps) {
  if (!result) return null;
  const { summary, start, end, timeZone, decisions } = result as CreatedEvent;
  const sameDay = start.slice(0, 10) === end.slice(0, 10);
  return (
    <div className="grid gap-2">
      <p>
        <strong>{summary}</strong>
        <br />
        <span>{`${moment(start)} to ${sameDay ? end.slice(11) : moment(end)} (${timeZone})`}</span>
      </p>
      {decisions.map((words) => (
        <p key={words}>{words}</p>
      ))}
    </div>
  );
}

const moment = (wall: string) => `${weekdayOf(wall.slice(0, 10))} ${wall.slice(11)}`;

function FreeTimes({ result }: ViewProps) {
  if (!result) return null;
  const { from, until, busy, timeZone } = result as Availability;
  const period = ({ start, end }: { start: string; end: string }) => ({
    start: Date.parse(start),
    end: Date.parse(end),
  });
  const days = weekOf(period({ start: from, end: until }), busy.map(period), timeZone);
  return (
    <section aria-label="The next 7 days">
      <Week days={days} />
    </section>
  );
}

/** The views of the tabs of Calendar Management. */
export const calendarViews: ToolViews = {
  create: { Fields: TimeZone, Result: Created },
  availability: { Fields: TimeZone, Result: FreeTimes },
};
