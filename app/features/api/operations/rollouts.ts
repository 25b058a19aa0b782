import * as z from "zod/mini";
import { rolloutRefusalWords } from "~/features/servers/rollouts/refusal-words";
import { type RolloutView, rolloutStates } from "~/features/servers/rollouts/rollout";
import { requestedChange } from "~/features/servers/rollouts/rollout-request";
import { updateWindow } from "~/features/servers/rollouts/update-window";
import { notFound, type Problem } from "../problem";
import { notAudited } from "./audited";
import { missing } from "./deployments";
import { described, iso, named, type Outcome, operation, time, uuid } from "./operation";

const state = described(
  "`proved`, `rolled-back`, `aborted`, `refused` and `expired` are ends. `proved`: the server's doctor found nothing new.",
  z.enum(rolloutStates),
);

const rollout = named(
  "Rollout",
  "The order that a server takes up a version of its deployment. The server does so only when people approve it with their passkeys, which no token can.",
  z.object({
    id: uuid,
    server: uuid,
    deployment: uuid,
    version: z.int(),
    state,
    reason: described(
      "Why it ended, where that is not because it was proved.",
      z.nullable(z.string()),
    ),
    requested_at: time,
    requested_by: z.string(),
    begins_at: described(
      "Where it has a window, the server begins it no earlier.",
      z.nullable(time),
    ),
    ends_at: described("The server begins it until then.", time),
    approvals_needed: z.int(),
    approvals: z.array(z.object({ by: z.string(), at: time })),
    steps: described(
      "When it came to each state, oldest first.",
      z.array(z.object({ state, at: time })),
    ),
  }),
);

const request = named(
  "RolloutRequest",
  "Which version a server is to take up.",
  z.strictObject({
    version: described("The newest one where it is left out.", z.optional(z.int().check(z.gte(1)))),
    allow_lower: described(
      "Whether an older version is taken, or one whose components are older.",
      z.optional(z.boolean()),
    ),
    window: described(
      "The hours of a day in which the server begins it, one to twelve, by the clocks of the workspace's time zone: the window that is open now, while half an hour is left, or opens next. At once, after its approval, where it is left out.",
      z.optional(updateWindow),
    ),
  }),
);

/** What a call is answered of a rollout on one server; undefined where that is none of its servers. */
function rolloutOn(server: string, { approvals, targets, ...of }: RolloutView) {
  const target = targets.find((each) => each.server === server);
  if (!target) return;
  return {
    ...{ id: of.id, server, deployment: of.deployment, version: of.version },
    ...{ state: target.state, reason: target.reason ?? null },
    ...{ requested_at: iso(of.requestedAt), requested_by: of.requestedBy },
    begins_at: of.beginsAt === undefined ? null : iso(of.beginsAt),
    ends_at: iso(of.endsAt),
    approvals_needed: of.needed,
    approvals: approvals.map(({ by, at }) => ({ by, at: iso(at) })),
    steps: target.steps.map(({ state, at }) => ({ state, at: iso(at) })),
  };
}

const base = {
  tag: "Rollouts",
  scope: "servers:read",
  status: 200,
  query: {},
  problems: [],
} as const;
const noServer = notFound("server");
const conflict = (detail: string): Problem => ({ problem: "conflict", detail });

export const rolloutOperations = [
  operation({
    ...{ ...base, method: "GET", path: "/servers/{server}/rollouts", id: "listRollouts" },
    summary: "The rollouts of a server within 90 days, newest first",
    params: { server: uuid },
    answer: named(
      "RolloutList",
      "The rollouts of a server.",
      z.object({ items: z.array(rollout) }),
    ),
    async run({ params, call, sources: { fleets } }): Promise<Outcome> {
      const found = await fleets.rollouts(call.token.workspace, params.server);
      if (!found) return noServer;
      const items = found.list.flatMap((each) => rolloutOn(params.server, each) ?? []);
      return { value: { items } };
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/servers/{server}/rollouts/{rollout}", id: "getRollout" },
    ...{ summary: "One rollout", params: { server: uuid, rollout: uuid }, answer: rollout },
    async run({ params, call, sources: { fleets } }): Promise<Outcome> {
      const found = await fleets.rollouts(call.token.workspace, params.server);
      const one = found?.list.find(({ id }) => id === params.rollout);
      const value = one && rolloutOn(params.server, one);
      return value ? { value } : notFound("rollout");
    },
  }),
  operation({
    ...{ ...base, method: "POST", path: "/servers/{server}/rollouts", id: "requestRollout" },
    ...{ scope: "servers:write", status: 201, problems: ["conflict", "unavailable"] },
    summary: "Asks that a server takes up a version of its deployment",
    description:
      "Nothing happens on the server before people approve it on its page, each with a passkey: read the rollout until it is so far. What is open already for the same version is answered again.",
    ...{ params: { server: uuid }, body: request, answer: rollout },
    async run({ params, body, call, sources: { fleets, records } }): Promise<Outcome> {
      const { workspace, label } = call.token;
      const found = await fleets.server(workspace, params.server);
      if (!found || found.retiredAt !== undefined) return noServer;
      const { deployment } = found;
      const url = call.serversUrl;
      if (deployment === undefined || url === undefined)
        return conflict(rolloutRefusalWords.cannot);
      const newest = await records.deployment(deployment);
      if (newest.state !== "found") return missing(newest, "deployment");
      const number = body.version ?? newest.value.version;
      const version = await records.version(deployment, number);
      if (version.state !== "found") return missing(version, "version");
      const { stored } = version.value;
      if (!("options" in stored)) return conflict(rolloutRefusalWords["no-files"]);
      const isLower = body.allow_lower === true;
      const wanted = {
        ...{ servers: [found.id], deployment, version: number, isLower, by: label },
        window: body.window,
        inputs: { options: stored.options, version: number, url },
      };
      let made = await fleets.checkRollout(workspace, wanted);
      if (!made) {
        const change = {
          ...{ target: found.name, targetId: found.id },
          after: requestedChange({ version: number, isLower, window: body.window }),
        };
        const noted = await records.auditRollout({ ...change, action: "rollout.requested" });
        if (!noted.ok) return notAudited(noted);
        made = await fleets.requestRollout(workspace, wanted);
        if ("refused" in made) await records.auditRollout({ ...change, action: "rollout.refused" });
      }
      if (!("refused" in made)) {
        return {
          value: rolloutOn(found.id, made.rollout),
          headers: { location: `/api/v1/servers/${found.id}/rollouts/${made.rollout.id}` },
        };
      }
      return made.refused === "no-server" ? noServer : conflict(rolloutRefusalWords[made.refused]);
    },
  }),
];
