import { beforeEach, expect, test } from "vitest";
import { callTool } from "../../support/google/google-account.ts";
import {
  connectedVisitor,
  googleRequestLog,
  steerGoogle,
} from "../../support/google/google-tools.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("an event is created at its zone's time, and refused in an hour that clocks skip", async () => {
  const visitor = await connectedVisitor("calendar");
  await steerGoogle("requests/clear");
  const event = {
    summary: "Kick-off",
    startDateTime: "2027-03-28T02:30",
    endDateTime: "2027-03-28T04:00",
    timeZone: "Europe/Berlin",
  };
  expect(await callTool(visitor, "calendar/create", event)).toMatchObject({
    status: 400,
    outcome: {
      fields: { startDateTime: expect.stringContaining("go forward over 02:30 on that day") },
    },
  });
  expect(await googleRequestLog()).toEqual([]);
  const later = { ...event, startDateTime: "2027-03-28T03:30" };
  expect(await callTool(visitor, "calendar/create", later)).toMatchObject({
    status: 200,
    outcome: { ok: true, result: { start: "2027-03-28T03:30", timeZone: "Europe/Berlin" } },
  });
  expect((await googleRequestLog())[0]?.body).toMatchObject({
    summary: "Kick-off",
    start: { dateTime: "2027-03-28T03:30:00+02:00", timeZone: "Europe/Berlin" },
  });
});

test("a task is completed by its exact title, or by choice where two have it", async () => {
  const visitor = await connectedVisitor("tasks");
  for (const notes of ["of Monday", "of Tuesday"])
    expect((await callTool(visitor, "tasks/create", { title: "Minutes", notes })).status).toBe(200);
  const complete = (form: Record<string, string>) => callTool(visitor, "tasks/complete", form);
  expect((await complete({ title: "minutes" })).status).toBe(404);
  const { status, outcome } = await complete({ title: "Minutes" });
  expect([status, outcome]).toMatchObject([
    409,
    { message: expect.stringContaining("2 open tasks have this title") },
  ]);
  const [chosen] = (outcome.result as { choose: { id: string; notes: string }[] }).choose;
  expect(await complete({ task: chosen?.id ?? "" })).toMatchObject({
    outcome: { ok: true, result: { task: { notes: chosen?.notes, completed: true } } },
  });
  const { outcome: rest } = await callTool(visitor, "tasks/list");
  expect(rest.result).toMatchObject({ tasks: [{ title: "Minutes", completed: false }] });
});

test("a document is created with its text, found by its title and rewritten as a whole", async () => {
  const visitor = await connectedVisitor("docs");
  const made = await callTool(visitor, "docs/create", {
    title: "Minutes",
    body: "Ports\nare open.",
  });
  expect(made.status).toBe(200);
  const { outcome } = await callTool(visitor, "docs/search", { query: "minutes" });
  const [found] = (outcome.result as { documents: { id: string; title: string }[] }).documents;
  expect(found?.title).toBe("Minutes");
  const text = { documentId: found?.id ?? "", content: "Nothing is left." };
  expect((await callTool(visitor, "docs/update", text)).status).toBe(200);
  expect((await googleRequestLog()).at(-1)?.body).toMatchObject({
    requests: [{ deleteContentRange: {} }, { insertText: { text: "Nothing is left." } }],
  });
});
