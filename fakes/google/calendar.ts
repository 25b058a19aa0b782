import { randomBytes } from "node:crypto";
import { type AccountData, newId, type StoredEvent } from "./account-data.ts";
import {
  type ApiCall,
  type Fields,
  fieldsOf,
  googleError,
  invalid,
  notFound,
  textOf,
} from "./api.ts";
import { type Moment, momentOf, offsetTime } from "./calendar-time.ts";

/** Calendar v3: events.insert, events.list and freebusy.query of the primary calendar. */
export function answerCalendar(call: ApiCall, data: AccountData): Response {
  if (call.path === "/calendar/v3/freeBusy") return freeBusy(call, data);
  const calendar = decodeURIComponent(call.path.split("/")[4] ?? "");
  if (calendar !== "primary" && calendar !== call.email) return notFound("Not Found");
  return call.method === "POST" ? insert(call, data) : list(call, data);
}

function insert(call: ApiCall, data: AccountData): Response {
  const body = fieldsOf(call.body);
  const start = momentOf(fieldsOf(body.start), "start");
  if ("problem" in start) return invalid(start.problem, "invalid");
  const end = momentOf(fieldsOf(body.end), "end");
  if ("problem" in end) return invalid(end.problem, "invalid");
  if (end.at < start.at) return emptyRange();
  const event = storedEvent(body, start, end);
  data.events.push(event);
  return Response.json(eventAnswer(event, call.email));
}

function storedEvent(body: Fields, start: Moment, end: Moment): StoredEvent {
  const [summary, location, description] = ["summary", "location", "description"].map((name) =>
    textOf(body[name]),
  );
  return {
    id: randomBytes(13).toString("hex"),
    summary: summary ?? "",
    ...(location ? { location } : {}),
    ...(description ? { description } : {}),
    start: start.at,
    end: end.at,
    timeZone: start.timeZone,
    transparent: body.transparency === "transparent",
  };
}

function eventAnswer(event: StoredEvent, email: string) {
  const at = (moment: number) => ({
    dateTime: offsetTime(moment, event.timeZone),
    timeZone: event.timeZone,
  });
  const eid = Buffer.from(`${event.id} ${email}`).toString("base64url");
  return {
    kind: "calendar#event",
    etag: `"${newId(16)}"`,
    id: event.id,
    status: "confirmed",
    htmlLink: `https://www.google.com/calendar/event?eid=${eid}`,
    ...(event.summary ? { summary: event.summary } : {}),
    ...(event.location ? { location: event.location } : {}),
    ...(event.description ? { description: event.description } : {}),
    creator: { email, self: true },
    organizer: { email, self: true },
    start: at(event.start),
    end: at(event.end),
    iCalUID: `${event.id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: "default",
  };
}

function list({ query, email }: ApiCall, data: AccountData): Response {
  const from = Date.parse(query.get("timeMin") ?? "") || Number.NEGATIVE_INFINITY;
  const to = Date.parse(query.get("timeMax") ?? "") || Number.POSITIVE_INFINITY;
  const items = data.events
    .filter((event) => event.end > from && event.start < to)
    .toSorted((one, other) => one.start - other.start)
    .map((event) => eventAnswer(event, email));
  return Response.json({ kind: "calendar#events", summary: email, timeZone: "UTC", items });
}

const maxRangeDays = 90;

function freeBusy({ body, email }: ApiCall, data: AccountData): Response {
  const { timeMin, timeMax, timeZone = "UTC", items } = fieldsOf(body);
  const from = Date.parse(textOf(timeMin) ?? "");
  const to = Date.parse(textOf(timeMax) ?? "");
  if (Number.isNaN(from)) return invalid("Missing timeMin parameter.", "required");
  if (Number.isNaN(to)) return invalid("Missing timeMax parameter.", "required");
  if (to <= from) return emptyRange();
  if (to - from > maxRangeDays * 86_400_000) {
    return invalid("The requested time range is too long.", "timeRangeTooLong");
  }
  const zone = String(timeZone);
  const ids = (Array.isArray(items) ? items : []).map((item) => textOf(fieldsOf(item).id) ?? "");
  const calendars = Object.fromEntries(
    ids.map((id) => [
      id,
      id === "primary" || id === email
        ? {
            busy: busyPeriods(data.events, from, to).map(({ start, end }) => ({
              start: offsetTime(start, zone),
              end: offsetTime(end, zone),
            })),
          }
        : { errors: [{ domain: "global", reason: "notFound" }], busy: [] },
    ]),
  );
  return Response.json({
    kind: "calendar#freeBusy",
    timeMin: new Date(from).toISOString(),
    timeMax: new Date(to).toISOString(),
    calendars,
  });
}

/** What is busy in a range, overlapping events as one period. */
function busyPeriods(events: readonly StoredEvent[], from: number, to: number) {
  const periods: { start: number; end: number }[] = [];
  const inside = events
    .filter((event) => !event.transparent && event.end > from && event.start < to)
    .toSorted((one, other) => one.start - other.start);
  for (const event of inside) {
    const start = Math.max(event.start, from);
    const end = Math.min(event.end, to);
    const last = periods.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else periods.push({ start, end });
  }
  return periods;
}

function emptyRange(): Response {
  return googleError({
    status: 400,
    name: "INVALID_ARGUMENT",
    reason: "timeRangeEmpty",
    domain: "calendar",
    message: "The specified time range is empty.",
  });
}
