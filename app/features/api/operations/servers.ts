import * as z from "zod/mini";
import { causeWords } from "~/features/servers/incidents/cause-words";
import { figures } from "~/features/servers/metrics/packed-figures";
import type { Series } from "~/features/servers/metrics/series";
import type { ServerView } from "~/features/servers/pages/server-view";
import { fromWire } from "~/features/servers/pages/wire";
import type { Records } from "../call";
import { cursorOf, placeIn } from "../cursor";
import { notFound, type Problem } from "../problem";
import { notAudited } from "./audited";
import {
  cursorField,
  described,
  invalidCursor,
  iso,
  isoOrNull,
  named,
  type Outcome,
  operation,
  pageOf,
  time,
  uuid,
} from "./operation";

const severity = z.enum(["page", "notify"]);
const finding = z.object({
  code: described("Never changes its meaning.", z.string()),
  severity: z.enum(["warning", "critical"]),
  subject: described("What it is about, such as a name or a path; may be empty.", z.string()),
  found: z.string(),
  wanted: z.string(),
});

const server = named(
  "Server",
  "A machine that is connected to the console.",
  z.object({
    id: uuid,
    name: z.string(),
    deployment: described(
      "The deployment that it was connected for; null where it is of none.",
      z.nullable(z.string()),
    ),
    domain: z.nullable(z.string()),
    labels: z.array(z.string()),
    state: z.object({
      code: z.enum([
        ...(["waiting", "booting", "healthy", "degraded", "updating", "silent", "down"] as const),
        ...(["duplicate", "paused", "retired"] as const),
      ]),
      since: described("Where the state has a beginning.", z.nullable(time)),
    }),
    connected_at: time,
    disconnected_at: z.nullable(time),
    last_report_at: z.nullable(time),
    version: described(
      "Of which deployment and version its files are, as they say, and whether somebody changed them since.",
      z.nullable(z.object({ deployment: z.string(), version: z.int(), is_changed: z.boolean() })),
    ),
    participants: z.nullable(z.number()),
    rooms: z.nullable(z.number()),
    findings: z.array(finding),
    certificates: z.array(z.object({ name: z.string(), ends_at: time })),
    addresses: z.array(z.string()),
    is_reboot_pending: z.boolean(),
    maintenance_until: z.nullable(time),
    incident: described(
      "The open one.",
      z.nullable(z.object({ id: z.string(), severity, opened_at: time })),
    ),
  }),
);

function serverView(view: ServerView) {
  const { id, name, state, madeFrom, incident } = view;
  return {
    ...{ id, name, deployment: view.deployment || null, domain: view.domain ?? null },
    labels: [...(view.labels ?? [])],
    state: { code: state.code, since: "since" in state ? iso(state.since) : null },
    connected_at: iso(view.enrolledAt),
    disconnected_at: isoOrNull(view.retiredAt),
    last_report_at: isoOrNull(view.lastReportAt),
    version: madeFrom
      ? {
          ...{ deployment: madeFrom.deployment, version: madeFrom.version },
          is_changed: madeFrom.isChanged,
        }
      : null,
    ...{ participants: view.participants ?? null, rooms: view.rooms ?? null },
    findings: view.findings,
    certificates: view.certificates.map(({ name, ends }) => ({ name, ends_at: iso(ends) })),
    addresses: view.addresses.map(({ address }) => address),
    is_reboot_pending: view.rebootPending === true,
    maintenance_until: isoOrNull(view.maintenanceUntil),
    incident: incident
      ? { id: incident.id, severity: incident.severity, opened_at: iso(incident.openedAt) }
      : null,
  };
}

const advice = named(
  "FindingList",
  "What is wrong with a server, with what to do about each.",
  z.object({
    items: z.array(z.extend(finding, { title: z.string(), advice: z.string() })),
  }),
);

const ranges = z.enum(["1h", "6h", "48h", "7d", "90d"]);
const steps = z.array(z.nullable(z.number()));
const figureList = named(
  "Figures",
  "A server's figures over a range of time, in steps of one length.",
  z.object({
    range: ranges,
    from: described("When the first step begins.", time),
    step_seconds: z.int(),
    figures: described(
      "By its name: the least, the mean and the most of each step; null where nothing was reported. Sizes in KiB, traffic in bytes a second, jitter in milliseconds, `cpu` and `loss` in hundredths of all.",
      z.record(z.string(), z.object({ least: steps, mean: steps, most: steps })),
    ),
  }),
);

/** A step without a value is not a number; a float has more digits than were reported. */
const listOf = (values: Float32Array) =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : Math.round(value * 1_000) / 1_000));

function figuresView({ range, from, stepMs, figures: all }: Series) {
  return {
    ...{ range, from: iso(from), step_seconds: stepMs / 1_000 },
    figures: Object.fromEntries(
      figures.flatMap((figure) => {
        const parts = all[figure];
        if (!parts) return [];
        const { least, mean, most } = parts;
        return [[figure, { least: listOf(least), mean: listOf(mean), most: listOf(most) }]];
      }),
    ),
  };
}

const window = named(
  "MaintenanceWindow",
  "Until when nothing is sent of a server.",
  z.object({ server: uuid, name: z.string(), until: time }),
);
const windowChange = named(
  "MaintenanceChange",
  "A window from now on.",
  z.strictObject({ until: described("At most 24 hours ahead.", time) }),
);
const maxWindowMs = 24 * 3_600_000;

/** Notes the change before it is made; why it may not be, where it may not. */
async function audited(
  records: Records,
  { id, name }: { id: string; name: string },
  until: string,
): Promise<Problem | undefined> {
  const noted = await records.audit({
    ...{ action: "server.maintenance", target: name, targetId: id },
    after: { until },
  });
  return noted.ok ? undefined : notAudited(noted);
}

const pageSize = 50;
const place = z.tuple([z.number(), uuid]);
const base = {
  tag: "Servers",
  scope: "servers:read",
  status: 200,
  query: {},
  problems: [],
} as const;
const ofServer = { server: uuid };
const noServer = notFound("server");

export const serverOperations = [
  operation({
    ...{ ...base, method: "GET", path: "/servers", id: "listServers" },
    summary: "The servers of the workspace, last connected first, 50 at a time",
    ...{ params: {}, query: { cursor: cursorField } },
    answer: pageOf("ServerPage", "servers", server),
    async run({ query: { cursor }, call, sources: { fleets } }): Promise<Outcome> {
      const after = cursor === undefined ? undefined : placeIn(cursor, place);
      if (cursor !== undefined && !after) return invalidCursor;
      const { servers } = await fleets.overview(call.token.workspace);
      const listed = servers
        .toSorted((one, other) => other.enrolledAt - one.enrolledAt || (one.id < other.id ? 1 : -1))
        .filter(
          ({ enrolledAt, id }) =>
            !after || enrolledAt < after[0] || (enrolledAt === after[0] && id < after[1]),
        );
      const items = listed.slice(0, pageSize);
      const last = listed.length > pageSize ? items.at(-1) : undefined;
      return {
        value: {
          items: items.map((each) => serverView(fromWire(each))),
          next_cursor: last ? cursorOf([last.enrolledAt, last.id]) : null,
        },
      };
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/servers/{server}", id: "getServer" },
    ...{ summary: "One server", params: ofServer, answer: server },
    async run({ params, call, sources: { fleets } }): Promise<Outcome> {
      const found = await fleets.server(call.token.workspace, params.server);
      return found ? { value: serverView(fromWire(found)) } : noServer;
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/servers/{server}/findings", id: "listFindings" },
    summary: "What is wrong with a server, and what to do",
    ...{ params: ofServer, answer: advice },
    async run({ params, call, sources: { fleets } }): Promise<Outcome> {
      const found = await fleets.server(call.token.workspace, params.server);
      if (!found) return noServer;
      const items = found.findings.map((each) => {
        const { title, next } = causeWords(each);
        return { ...each, title, advice: next };
      });
      return { value: { items } };
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/servers/{server}/figures", id: "getFigures" },
    summary: "A server's figures over time",
    ...{ params: ofServer, query: { range: z.optional(ranges) }, answer: figureList },
    async run({ params, query, call, sources: { fleets } }): Promise<Outcome> {
      const range = query.range ?? "48h";
      const found = await fleets.server(call.token.workspace, params.server, range);
      return found ? { value: figuresView(found.series) } : noServer;
    },
  }),
];

export const maintenanceOperations = [
  operation({
    ...{ ...base, tag: "Maintenance", method: "GET", path: "/maintenance", id: "listMaintenance" },
    summary: "The servers that are in a maintenance window",
    params: {},
    answer: named("MaintenanceList", "All open windows.", z.object({ items: z.array(window) })),
    async run({ call, sources: { fleets, now } }): Promise<Outcome> {
      const { servers } = await fleets.overview(call.token.workspace);
      const items = servers.flatMap(({ id, name, maintenanceUntil }) =>
        maintenanceUntil !== undefined && maintenanceUntil > now
          ? [{ server: id, name, until: iso(maintenanceUntil) }]
          : [],
      );
      return { value: { items } };
    },
  }),
  operation({
    ...{
      ...base,
      tag: "Maintenance",
      method: "PUT",
      scope: "servers:write",
      orScope: "alerts:write",
    },
    ...{ path: "/servers/{server}/maintenance", id: "beginMaintenance" },
    summary: "Begins a maintenance window now, or moves its end",
    ...{ params: ofServer, body: windowChange, answer: window },
    async run({ params, body, call, sources: { fleets, records, now } }): Promise<Outcome> {
      const until = Date.parse(body.until);
      if (!(until > now && until <= now + maxWindowMs)) {
        return {
          ...{ problem: "invalid-body", detail: "The body is not right: see `errors`." },
          errors: [{ pointer: "#/until", detail: "Must be within the next 24 hours." }],
        };
      }
      const { workspace } = call.token;
      const found = await fleets.server(workspace, params.server);
      if (!found || found.retiredAt !== undefined) return noServer;
      const refused = await audited(records, found, iso(until));
      if (refused) return refused;
      if (!(await fleets.setMaintenance(workspace, found.id, until))) return noServer;
      return { value: { server: found.id, name: found.name, until: iso(until) } };
    },
  }),
  operation({
    ...{
      ...base,
      tag: "Maintenance",
      method: "DELETE",
      scope: "servers:write",
      status: 204,
      orScope: "alerts:write",
    },
    ...{ path: "/servers/{server}/maintenance", id: "endMaintenance" },
    ...{ summary: "Ends a maintenance window; without one it changes nothing", params: ofServer },
    async run({ params, call, sources: { fleets, records } }): Promise<Outcome> {
      const { workspace } = call.token;
      const found = await fleets.server(workspace, params.server);
      if (!found) return noServer;
      if (found.maintenanceUntil === undefined) return { value: undefined };
      const refused = await audited(records, found, "");
      if (refused) return refused;
      await fleets.setMaintenance(workspace, found.id, null);
      return { value: undefined };
    },
  }),
];
