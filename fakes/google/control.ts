import { z } from "zod";
import type { Accounts } from "./account-data.ts";
import { momentOf } from "./calendar-time.ts";
import { newDocument } from "./documents.ts";
import { type Faults, faultBody } from "./faults.ts";
import type { Grants } from "./grants.ts";
import { parsed, type RequestLog } from "./request-log.ts";

const tokensBody = z.union([
  z.strictObject({ lifetimeSeconds: z.number().int().min(1) }),
  z.strictObject({ expire: z.literal(true) }),
]);
const consentBody = z.strictObject({ withhold: z.array(z.string()) });
const wallTime = z.strictObject({ dateTime: z.string(), timeZone: z.string() });
const seedBody = z.strictObject({
  email: z.email(),
  events: z
    .array(z.strictObject({ summary: z.string(), start: wallTime, end: wallTime }))
    .default([]),
  tasks: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        notes: z.string().optional(),
        due: z.string().optional(),
        completed: z.string().optional(),
        hidden: z.boolean().default(false),
      }),
    )
    .default([]),
  documents: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        text: z.string(),
        modified: z.iso.datetime(),
      }),
    )
    .default([]),
});

export interface Controlled {
  accounts: Accounts;
  faults: Faults;
  grants: Grants;
  requests: RequestLog;
  reset(): Promise<void>;
}

/** The controls under `/_local`, which Google does not have. Only the loopback reaches them. */
export async function answerControl(controlled: Controlled, request: Request): Promise<Response> {
  const { faults, grants, requests } = controlled;
  const name = new URL(request.url).pathname.slice("/_local/".length);
  if (request.method === "GET" && name === "requests") return Response.json(requests.all());
  if (request.method !== "POST" || request.headers.has("origin"))
    return refused(403, "Not allowed.");
  const body = parsed(await request.text()) ?? {};
  switch (name) {
    case "reset":
      await controlled.reset();
      return done();
    case "faults":
      return use(faultBody, body, (fault) => faults.add(fault));
    case "faults/clear":
      faults.clear();
      return done();
    case "data/clear":
      controlled.accounts.clear();
      return done();
    case "requests/clear":
      requests.clear();
      return done();
    case "tokens":
      return use(tokensBody, body, (change) =>
        "expire" in change ? grants.expireAll() : grants.setLifetime(change.lifetimeSeconds),
      );
    case "consent":
      return use(consentBody, body, ({ withhold }) => grants.withhold(withhold));
    case "seed":
      return use(seedBody, body, (content) => seed(controlled.accounts, content));
    default:
      return refused(404, "There is no such control.");
  }
}

function seed(accounts: Accounts, { email, ...content }: z.infer<typeof seedBody>): void {
  const data = accounts.of(email);
  for (const { summary, start, end } of content.events) {
    const [from, to] = [momentOf(start, "start"), momentOf(end, "end")];
    if ("problem" in from || "problem" in to) continue;
    data.events.push({
      id: `seeded${data.events.length}`,
      summary,
      start: from.at,
      end: to.at,
      timeZone: from.timeZone,
      transparent: false,
    });
  }
  for (const { notes, due, completed, ...task } of content.tasks) {
    data.tasks.push({
      ...task,
      updated: "2026-01-01T00:00:00.000Z",
      ...(notes ? { notes } : {}),
      ...(due ? { due } : {}),
      ...(completed ? { completed } : {}),
    });
  }
  for (const { id, title, text, modified } of content.documents) {
    data.documents.push({
      ...newDocument(title, text.endsWith("\n") ? text : `${text}\n`),
      id,
      modified: Date.parse(modified),
    });
  }
}

function use<Body>(schema: z.ZodType<Body>, body: unknown, act: (body: Body) => void): Response {
  const read = schema.safeParse(body);
  if (!read.success) return refused(400, z.prettifyError(read.error));
  act(read.data);
  return done();
}

function done(): Response {
  return Response.json({ done: true });
}

function refused(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
