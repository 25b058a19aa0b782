import * as z from "zod/mini";
import type { IncidentLine } from "~/features/servers/incidents/incident-list.server";
import type { IncidentPage } from "~/features/servers/incidents/incident-page.server";
import { cursorOf, placeIn } from "../cursor";
import { notFound } from "../problem";
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
  withoutControls,
} from "./operation";

const incidentFields = {
  id: uuid,
  server: described(
    "A cluster has the id and the name of its deployment.",
    z.object({ id: uuid, name: z.string(), deployment: z.nullable(z.string()) }),
  ),
  severity: described(
    "`page` where it wakes somebody now or, if it is over, has done so.",
    z.enum(["page", "notify"]),
  ),
  began_at: time,
  ended_at: described("Null while it is open.", z.nullable(time)),
  titles: described("Of its causes, worst first.", z.array(z.string())),
  participants: described("In calls when it began.", z.nullable(z.number())),
  acknowledged: z.nullable(
    z.object({ at: time, by: z.nullable(z.string()), note: z.nullable(z.string()) }),
  ),
  snoozed_until: z.nullable(time),
};
const line = named("IncidentLine", "An incident of a list.", z.object(incidentFields));
const incident = named(
  "Incident",
  "Everything that was wrong with a server, from the first cause to five good minutes.",
  z.object({
    ...incidentFields,
    causes: z.array(
      z.object({
        code: z.string(),
        subject: z.string(),
        title: z.string(),
        advice: z.string(),
        found: z.nullable(z.string()),
        since: time,
        ended_at: z.nullable(time),
      }),
    ),
  }),
);

function lineView(of: IncidentLine) {
  const { id, server, acknowledged } = of;
  return {
    id,
    server: { id: server.id, name: server.name, deployment: server.deployment || null },
    severity: of.isPaging ? "page" : "notify",
    began_at: iso(of.beganAt),
    ended_at: isoOrNull(of.endedAt),
    titles: of.titles,
    participants: of.participants ?? null,
    acknowledged: acknowledged
      ? {
          ...{ at: iso(acknowledged.at), by: acknowledged.who ?? null },
          note: acknowledged.note ?? null,
        }
      : null,
    snoozed_until: isoOrNull(of.snoozedUntil),
  };
}

const incidentView = (page: IncidentPage) => ({
  ...lineView(page),
  causes: page.causes.map(({ code, subject, title, next, found, since, endedAt }) => ({
    ...{ code, subject, title, advice: next, found: found ?? null },
    ...{ since: iso(since), ended_at: isoOrNull(endedAt) },
  })),
});

const acknowledgement = named(
  "Acknowledgement",
  "Somebody sees to it, so that it is not repeated.",
  z.strictObject({
    note: z.optional(z.string().check(z.maxLength(200), z.regex(withoutControls))),
  }),
);

const snooze = named(
  "Snooze",
  "Nothing but its end is sent of the incident until then.",
  z.strictObject({ until: described("At most 24 hours ahead.", time) }),
);
const maxSnoozeMs = 24 * 3_600_000;

const filters = {
  cursor: cursorField,
  state: z.optional(z.enum(["open", "past"])),
  severity: z.optional(z.enum(["page", "notify"])),
  deployment: z.optional(uuid),
  server: z.optional(uuid),
  days: z.optional(described("How far back.", z.enum(["1", "7", "30", "90"]))),
};
const days = { "1": 1, "7": 7, "30": 30, "90": 90 } as const;

const page = z.int().check(z.gte(1), z.lte(1_000));
const base = {
  tag: "Incidents",
  scope: "servers:read",
  status: 200,
  query: {},
  problems: [],
} as const;
const noIncident = notFound("incident");

export const incidentOperations = [
  operation({
    ...{ ...base, method: "GET", path: "/incidents", id: "listIncidents" },
    summary: "Incidents, open ones first and then the newest, 50 at a time",
    description:
      "One that opens or closes meanwhile moves the others: read what is open again from the top.",
    ...{ params: {}, query: filters, answer: pageOf("IncidentPage", "incidents", line) },
    async run({ query, call, sources: { fleets } }): Promise<Outcome> {
      const at = query.cursor === undefined ? 1 : placeIn(query.cursor, page);
      if (at === undefined) return invalidCursor;
      const { lines, pages } = await fleets.incidents(call.token.workspace, {
        ...{ state: query.state ?? "", severity: query.severity ?? "" },
        ...{ deployment: query.deployment ?? "", server: query.server ?? "" },
        ...{ days: days[query.days ?? "90"], page: at },
      });
      // The list shows its last page where one is asked for that is not there any more.
      const isThere = at <= pages;
      return {
        value: {
          items: isThere ? lines.map(lineView) : [],
          next_cursor: at < pages ? cursorOf(at + 1) : null,
        },
      };
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/incidents/{incident}", id: "getIncident" },
    ...{ summary: "One incident", params: { incident: uuid }, answer: incident },
    async run({ params, call, sources: { fleets } }): Promise<Outcome> {
      const found = await fleets.incident(call.token.workspace, params.incident);
      return found ? { value: incidentView(found) } : noIncident;
    },
  }),
  operation({
    ...{ ...base, method: "PUT", path: "/incidents/{incident}/acknowledgement" },
    ...{ id: "acknowledgeIncident", scope: "alerts:write", orScope: "servers:write" },
    summary: "Acknowledges an open incident",
    description: "The first who acknowledges stays.",
    ...{ params: { incident: uuid }, body: acknowledgement, answer: incident },
    async run({ params, body, call, sources: { fleets, records } }): Promise<Outcome> {
      const { workspace, id, label } = call.token;
      const found = await fleets.incident(workspace, params.incident);
      if (!found || found.endedAt !== undefined) return noIncident;
      if (found.acknowledged) return { value: incidentView(found) };
      const { server } = found;
      const noted = await records.audit({
        ...{ action: "incident.acknowledged", target: server.name, targetId: server.id },
      });
      if (!noted.ok) return notAudited(noted);
      const note = body.note?.trim();
      const words = { who: label, ...(note ? { note } : {}) };
      if (!(await fleets.acknowledge(workspace, found.id, id, words))) return noIncident;
      const after = await fleets.incident(workspace, found.id);
      return after ? { value: incidentView(after) } : noIncident;
    },
  }),
  operation({
    ...{ ...base, method: "PUT", path: "/incidents/{incident}/snooze", id: "snoozeIncident" },
    ...{ summary: "Snoozes an open incident, or moves the end of its snooze" },
    ...{
      scope: "alerts:write",
      orScope: "servers:write",
      params: { incident: uuid },
      body: snooze,
      answer: incident,
    },
    async run({ params, body, call, sources: { fleets, records, now } }): Promise<Outcome> {
      const until = Date.parse(body.until);
      if (!(until > now && until <= now + maxSnoozeMs)) {
        return {
          ...{ problem: "invalid-body", detail: "The body is not right: see `errors`." },
          errors: [{ pointer: "#/until", detail: "Must be within the next 24 hours." }],
        };
      }
      const { workspace } = call.token;
      const found = await fleets.incident(workspace, params.incident);
      if (!found || found.endedAt !== undefined) return noIncident;
      const { server } = found;
      const noted = await records.audit({
        ...{ action: "incident.snoozed", target: server.name, targetId: server.id },
        after: { until: iso(until) },
      });
      if (!noted.ok) return notAudited(noted);
      if (!(await fleets.snooze(workspace, found.id, until))) return noIncident;
      const after = await fleets.incident(workspace, found.id);
      return after ? { value: incidentView(after) } : noIncident;
    },
  }),
];
