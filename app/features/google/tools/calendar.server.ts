import * as z from "zod/mini";
import { isTimeZone, momentsOf, readWallTime, wallTimeOf, withOffset } from "~/ui/time-zones";
import { googleLink } from "./google-link";
import { type Operation, type OperationResult, success, type ToolOperations } from "./operation";
import { notCreated, refused, wrongFields } from "./refusals.server";

/** What the view shows of an event that was created; times as its zone's clocks show them. */
export type CreatedEvent = {
  summary: string;
  start: string;
  end: string;
  timeZone: string;
  /** What was decided for the person, in sentences. */
  decisions: readonly string[];
};

/** The periods in which the calendar is busy, as times of RFC 3339. */
export type Availability = {
  timeZone: string;
  from: string;
  until: string;
  busy: readonly { start: string; end: string }[];
};

const limits = { summary: 1024, location: 1024, description: 8192 };
const daysAhead = 7;
const unknownZone = "Your browser did not say which time zone you are in.";

const createdEvent = z.object({ htmlLink: z.optional(z.string()) });

/** An event in the main calendar. Source: Google's reference, events.insert. */
const create: Operation = async (form, google) => {
  const event = readEvent(form);
  if ("wrong" in event) return wrongFields(event.wrong);
  const { summary, location, description, start, end, timeZone, decisions } = event;
  const answer = await google.call({
    method: "POST",
    path: "/calendar/v3/calendars/primary/events",
    body: {
      summary,
      ...(location && { location }),
      ...(description && { description }),
      start: { dateTime: withOffset(start, timeZone), timeZone },
      end: { dateTime: withOffset(end, timeZone), timeZone },
    },
    answer: createdEvent,
  });
  if (!answer.ok) return notCreated(answer);
  const link = googleLink(answer.body.htmlLink, google.email, "Open the event in Google Calendar");
  const result: CreatedEvent = {
    summary,
    start: wallTimeOf(start, timeZone),
    end: wallTimeOf(end, timeZone),
    timeZone,
    decisions,
  };
  return { ok: true, message: success, ...(link && { link }), result };
};

type ReadEvent = {
  summary: string;
  location: string;
  description: string;
  start: number;
  end: number;
  timeZone: string;
  decisions: readonly string[];
};

function readEvent(form: URLSearchParams): ReadEvent | { wrong: Record<string, string> } {
  const textOf = (name: string) => (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();
  const timeZone = textOf("timeZone");
  const wrong: Record<string, string> = {};
  if (!textOf("summary")) wrong.summary = "Say what the event is.";
  for (const [name, limit] of Object.entries(limits)) {
    if (textOf(name).length > limit) {
      wrong[name] = `The ${name} can have ${limit} characters at most.`;
    }
  }
  const starts = readWallTime(textOf("startDateTime"));
  const ends = readWallTime(textOf("endDateTime"));
  if (!starts) wrong.startDateTime = "Choose when the event starts.";
  if (!ends) wrong.endDateTime = "Choose when the event ends.";
  if (!isTimeZone(timeZone)) return { wrong: { ...wrong, timeZone: unknownZone } };
  if (!starts || !ends) return { wrong };

  const startsAt = momentsOf(starts, timeZone);
  const endsAt = momentsOf(ends, timeZone);
  if (startsAt.length === 0) wrong.startDateTime = skipped(starts, timeZone);
  if (endsAt.length === 0) wrong.endDateTime = skipped(ends, timeZone);
  // In the hour that clocks repeat, the start is the first moment, and the end the first after the start.
  const [start = 0] = startsAt;
  const end = endsAt.find((moment) => moment > start) ?? 0;
  if (startsAt.length > 0 && endsAt.length > 0 && end === 0) {
    wrong.endDateTime = "The event must end after it starts.";
  }
  if (Object.keys(wrong).length > 0) return { wrong };
  const decisions = [
    ...(startsAt.length > 1 ? [ambiguousTime("starts", starts, timeZone, "first")] : []),
    ...(endsAt.length > 1
      ? [ambiguousTime("ends", ends, timeZone, end === endsAt[0] ? "first" : "second")]
      : []),
  ];
  return {
    summary: textOf("summary"),
    location: textOf("location"),
    description: textOf("description"),
    start,
    end,
    timeZone,
    decisions,
  };
}

function skipped(wall: string, timeZone: string): string {
  return `Clocks in ${timeZone} go forward over ${wall.slice(11)} on that day. Choose a time before or after.`;
}

function ambiguousTime(
  what: "starts" | "ends",
  wall: string,
  timeZone: string,
  which: string,
): string {
  return `Clocks in ${timeZone} show ${wall.slice(11)} twice on that day: the event ${what} at the ${which}.`;
}

const freeBusy = z.object({
  calendars: z.record(
    z.string(),
    z.object({
      busy: z.optional(z.array(z.object({ start: z.string(), end: z.string() }))),
      errors: z.optional(z.array(z.unknown())),
    }),
  ),
});

/** What is busy from now until the same time in 7 days. Source: Google's freebusy.query. */
const availability: Operation = async (form, google): Promise<OperationResult> => {
  const timeZone = form.get("timeZone") ?? "";
  if (!isTimeZone(timeZone)) return wrongFields({ timeZone: unknownZone });
  const now = Math.floor(google.now.getTime() / 1000) * 1000;
  const from = new Date(now).toISOString();
  const until = new Date(laterByDays(now, timeZone)).toISOString();
  const answer = await google.call({
    method: "POST",
    path: "/calendar/v3/freeBusy",
    body: { timeMin: from, timeMax: until, timeZone, items: [{ id: "primary" }] },
    answer: freeBusy,
  });
  if (!answer.ok) return refused(answer);
  const [calendar] = Object.values(answer.body.calendars);
  if (!calendar || calendar.errors?.length) {
    return { ok: false, status: 502, message: "Google could not read your main calendar." };
  }
  const result: Availability = { timeZone, from, until, busy: calendar.busy ?? [] };
  return { ok: true, message: success, result };
};

/** The moment at which the clocks show the same 7 days later. */
function laterByDays(now: number, timeZone: string): number {
  const later = now + daysAhead * 86_400_000;
  const wall = wallTimeOf(now, timeZone);
  const date = new Date(Date.parse(`${wall}Z`) + daysAhead * 86_400_000).toISOString().slice(0, 16);
  const [same] = momentsOf(date, timeZone);
  return same === undefined ? later : same + (now % 60_000);
}

/** The operations of the tabs of Calendar Management. */
export const calendarOperations: ToolOperations = { create, availability };
