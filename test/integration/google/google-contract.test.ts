import { expect, test } from "vitest";
import { unsure } from "../../../app/features/google/tools/operation.ts";
import {
  oneConnectedVisitor,
  sent,
  sentJson,
  success,
} from "../../support/auth/connected-visitor.ts";
import { callTool } from "../../support/google/google-account.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import {
  connectedVisitor,
  googleRequestLog,
  steerGoogle,
} from "../../support/google/google-tools.ts";
import { Visitor } from "../../support/site/visitor.ts";

const use = oneConnectedVisitor("calendar", "tasks");

const berlin = { timeZone: "Europe/Berlin" };
const event = {
  ...berlin,
  summary: "Kick-off",
  location: "Room 4",
  startDateTime: "2027-03-27T23:30",
  endDateTime: "2027-03-28T03:30",
  description: "Bring\r\nthe list.",
};

test("an event is inserted with times that no change of clocks can move", async () => {
  const { status, outcome } = await use("calendar/create", event);
  expect(status).toBe(200);
  expect(await googleRequestLog()).toEqual([
    {
      method: "POST",
      path: "/calendar/v3/calendars/primary/events",
      query: {},
      headers: sentJson,
      body: {
        summary: "Kick-off",
        location: "Room 4",
        description: "Bring\nthe list.",
        start: { dateTime: "2027-03-27T23:30:00+01:00", timeZone: "Europe/Berlin" },
        end: { dateTime: "2027-03-28T03:30:00+02:00", timeZone: "Europe/Berlin" },
      },
    },
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    message: success,
    link: { words: "Open the event in Google Calendar" },
  });
  const link = new URL(outcome.ok ? (outcome.link?.href ?? "") : "");
  expect(link.origin + link.pathname).toBe("https://www.google.com/calendar/event");
  expect(link.searchParams.get("authuser")).toBe(googleEmail);
});

test.each([
  ["2027-03-28T03:30", "2027-03-28T03:30", "The event must end after it starts."],
  ["2027-03-28T03:30", "2027-03-28T01:30", "The event must end after it starts."],
  [
    "2027-03-28T02:30",
    "2027-03-28T04:00",
    "Clocks in Europe/Berlin go forward over 02:30 on that day. Choose a time before or after.",
  ],
  ["", "2027-03-28T04:00", "Choose when the event starts."],
  ["2027-02-30T10:00", "2027-03-28T04:00", "Choose when the event starts."],
])("an event from %s to %s is not made: %s", async (startDateTime, endDateTime, message) => {
  const { status, outcome } = await use("calendar/create", {
    ...event,
    startDateTime,
    endDateTime,
  });
  expect({ status, outcome }).toMatchObject({ status: 400, outcome: { ok: false, message } });
  expect(await googleRequestLog()).toEqual([]);
});

test("where clocks show a time twice, the event lasts as long as it says", async () => {
  const ambiguousTimes = { startDateTime: "2026-10-25T02:30", endDateTime: "2026-10-25T02:15" };
  const { outcome } = await use("calendar/create", { ...event, ...ambiguousTimes });
  const [request] = await googleRequestLog();
  expect(request?.body).toMatchObject({
    start: { dateTime: "2026-10-25T02:30:00+02:00" },
    end: { dateTime: "2026-10-25T02:15:00+01:00" },
  });
  expect(outcome).toMatchObject({
    result: {
      decisions: [
        "Clocks in Europe/Berlin show 02:30 twice on that day: the event starts at the first.",
        "Clocks in Europe/Berlin show 02:15 twice on that day: the event ends at the second.",
      ],
    },
  });
});

test("availability asks for the busy times of the next 7 days", async () => {
  const before = Date.now() - 1000;
  const { outcome } = await use("calendar/availability", { timeZone: "Asia/Tokyo" });
  const [request] = await googleRequestLog();
  expect(request).toMatchObject({
    method: "POST",
    path: "/calendar/v3/freeBusy",
    headers: sentJson,
  });
  const body = request?.body as { timeMin: string; timeMax: string };
  const { timeMin, timeMax, ...rest } = body;
  expect(rest).toEqual({ timeZone: "Asia/Tokyo", items: [{ id: "primary" }] });
  expect(Date.parse(timeMax) - Date.parse(timeMin)).toBe(7 * 86_400_000);
  expect(Date.parse(timeMin)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(timeMin)).toBeLessThanOrEqual(Date.now());
  expect(outcome).toMatchObject({ ok: true, message: success, result: { busy: [] } });
});

test("a task is inserted with the day it is due", async () => {
  const { outcome } = await use("tasks/create", {
    title: " Minutes ",
    notes: "Two\r\nlines",
    due: "2026-11-24",
  });
  expect(await googleRequestLog()).toEqual([
    {
      method: "POST",
      path: "/tasks/v1/lists/@default/tasks",
      query: {},
      headers: sentJson,
      body: { title: "Minutes", notes: "Two\nlines", due: "2026-11-24T00:00:00.000Z" },
    },
  ]);
  expect(outcome).toMatchObject({
    message: success,
    link: { href: expect.stringMatching(/^https:\/\/tasks\.google\.com\//) },
  });
});

const listPath = "/tasks/v1/lists/@default/tasks";

test("the one open task with the title is completed, found on whatever page it is", async () => {
  const others = Array.from({ length: 120 }, (_, index) => ({
    id: `t${index}`,
    title: `T ${index}`,
  }));
  await steerGoogle("seed", {
    email: googleEmail,
    tasks: [...others, { id: "x", title: "Minutes" }],
  });
  const { outcome } = await use("tasks/complete", { title: "Minutes" });
  const open = { maxResults: "100", showCompleted: "false", showHidden: "false" };
  expect(await googleRequestLog()).toEqual([
    { method: "GET", path: listPath, query: open, headers: sent, body: null },
    {
      method: "GET",
      path: listPath,
      query: { ...open, pageToken: "page-100" },
      headers: sent,
      body: null,
    },
    {
      method: "PATCH",
      path: `${listPath}/x`,
      query: {},
      headers: sentJson,
      body: { status: "completed" },
    },
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    result: { task: { title: "Minutes", completed: true } },
  });
});

test.each([
  [["Minutes", "minutes", "Minutes "], "Minutes", 200, undefined, []],
  [
    ["Minutes", "Minutes"],
    "Minutes",
    409,
    "2 open tasks have this title. Choose the one that is done.",
    ["t0", "t1"],
  ],
  [
    ["The minutes", "Other"],
    "Minutes",
    404,
    "No open task has exactly this title. Choose one below, or correct the title.",
    ["t0"],
  ],
  [
    ["One", "Other"],
    "Minutes",
    404,
    "No open task has exactly this title. Choose one below, or correct the title.",
    ["t0", "t1"],
  ],
  [[], "Minutes", 404, "No open task has exactly this title.", []],
])("of %j, completing %s answers %i", async (titles, title, expected, message, ids) => {
  const tasks = titles.map((each, index) => ({ id: `t${index}`, title: each }));
  await steerGoogle("seed", { email: googleEmail, tasks });
  const { status, outcome } = await use("tasks/complete", { title });
  expect(status).toBe(expected);
  if (outcome.ok) return;
  expect(outcome.message).toBe(message);
  expect(outcome.result).toMatchObject({ choose: ids.map((id) => ({ id })) });
  expect((await googleRequestLog()).map(({ method }) => method)).toEqual(["GET"]);
});

test("tasks are listed with what is done, or without, a page at a time", async () => {
  const tasks = Array.from({ length: 101 }, (_, index) => ({
    id: `t${index}`,
    title: `T ${index}`,
  }));
  const done = { id: "d", title: "Done", completed: "2026-11-01T09:00:00.000Z", hidden: true };
  await steerGoogle("seed", { email: googleEmail, tasks: [...tasks, done] });
  const first = await use("tasks/list", { showCompleted: "true" });
  expect(first.outcome).toMatchObject({ ok: true, result: { next: "page-100" } });
  const rest = await use("tasks/list", { showCompleted: "true", pageToken: "page-100" });
  expect(rest.outcome).toMatchObject({
    result: { tasks: [{ id: "t100" }, { id: "d", completed: true }] },
  });
  const open = await use("tasks/list", { showCompleted: "false", pageToken: "page-100" });
  expect(open.outcome).toMatchObject({ result: { tasks: [{ id: "t100" }] } });
  const both = { maxResults: "100", showCompleted: "true", showHidden: "true" };
  expect((await googleRequestLog())[0]).toEqual({
    method: "GET",
    path: listPath,
    query: both,
    headers: sent,
    body: null,
  });
});

test.each([
  [
    "quota",
    429,
    "Google's limit for your account is reached. Please try again in a few minutes.",
    "60",
  ],
  [
    "tooMany",
    429,
    "Google's limit for your account is reached. Please try again in 30 seconds.",
    "30",
  ],
  ["forbidden", 403, "Google does not allow this for your account.", null],
  ["notFound", 404, "Google did not find it. It may have been deleted.", null],
  ["serverError", 503, unsure, null],
  ["unavailable", 503, unsure, null],
  ["garbage", 503, unsure, null],
])("Google's %s becomes a %i and a sentence", async (kind, expected, message, retryAfter) => {
  await steerGoogle("faults", { kind, times: 1 });
  const { status, headers, outcome } = await use("tasks/create", { title: "Minutes" });
  expect(status).toBe(expected);
  expect(outcome).toMatchObject({ ok: false, message });
  expect(outcome).not.toHaveProperty("consent");
  expect(headers.get("retry-after")).toBe(retryAfter);
});

test("a token that Google no longer takes leads to a new consent", async () => {
  const other = await connectedVisitor("tasks");
  await steerGoogle("faults", { kind: "unauthenticated", times: 1 });
  const { status, outcome } = await callTool(other, "tasks/create", { title: "Minutes" });
  expect({ status, outcome }).toMatchObject({ status: 401, outcome: { consent: true } });
  const again = await callTool(other, "tasks/create", { title: "Minutes" });
  expect(again).toMatchObject({ status: 403, outcome: { consent: true } });
  expect((await googleRequestLog()).filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("somebody who is not signed in gets nothing done", async () => {
  const { status, outcome } = await callTool(new Visitor(), "tasks/create", { title: "Minutes" });
  expect(status).toBe(401);
  expect(outcome).toMatchObject({ ok: false });
  expect(await googleRequestLog()).toEqual([]);
});
