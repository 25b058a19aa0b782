import * as z from "zod/mini";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import type { Found } from "~/features/deployments/record/deployments.server";
import type { DeploymentRefusal } from "~/features/deployments/record/save-deployments.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import { entityTag, namesTag } from "~/http/hashes";
import { cursorOf, placeIn } from "../cursor";
import { notFound, type Problem, unavailable } from "../problem";
import {
  cursorField,
  described,
  invalidCursor,
  iso,
  named,
  type Outcome,
  operation,
  pageOf,
  time,
  uuid,
  withoutControls,
} from "./operation";

export const optionsField = described(
  "The choices, as `/schemas/deployment-options.json` describes them. What is left out has its default.",
  z.record(z.string(), z.unknown()),
);
const name = z
  .string()
  .check(z.minLength(1), z.maxLength(80), z.regex(withoutControls), z.regex(/\S/));

const deployment = named(
  "Deployment",
  "What one server is to be, as it was saved last.",
  z.object({
    id: uuid,
    name: z.string(),
    version: described("Counts the saved choices from 1.", z.int()),
    options: described(
      "Null where an older release made them and they no longer make a server.",
      z.nullable(z.record(z.string(), z.unknown())),
    ),
    created_at: time,
    updated_at: time,
  }),
);

const change = named(
  "DeploymentChange",
  "A deployment as it is to be.",
  z.strictObject({ name, options: optionsField }),
);

/** What a call is answered of a deployment. */
function deploymentView({ id, name, version, stored, createdAt, updatedAt }: Deployment) {
  return {
    ...{ id, name, version, options: "options" in stored ? stored.options : null },
    ...{ created_at: iso(createdAt), updated_at: iso(updatedAt) },
  };
}

/** The entity tag of a deployment as a call reads it: the router makes the same of the answer. */
const tagOf = (deployment: Deployment): Promise<string> =>
  entityTag(JSON.stringify(deploymentView(deployment)));

export const missing = (
  found: Exclude<Found<unknown>, { state: "found" }>,
  what: string,
): Problem => (found.state === "unavailable" ? unavailable : notFound(what));

/** A refusal of the functions that write deployments. */
function refusal({ status, message, problems }: DeploymentRefusal): Problem {
  if (status === 404) return notFound("deployment");
  if (status === 503) return unavailable;
  if (status === 403) return { problem: "plan", detail: message };
  if (status === 409) return { problem: "changed", detail: changed };
  return {
    problem: "invalid-body",
    detail: message,
    ...(problems ? { errors: faultsOf(problems) } : {}),
  };
}

const changed =
  "The deployment is not what the tag in If-Match says any more. Read it again, then send the change with its new tag and a new key.";

const faultsOf = (problems: readonly { path: string; message: string }[]) =>
  problems.slice(0, 20).map(({ path, message }) => ({
    pointer: `#/options/${path.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll(".", "/")}`,
    detail: message,
  }));

export const wrongOptions = (problems: Parameters<typeof faultsOf>[0]): Problem => ({
  problem: "invalid-body",
  detail: "These choices make no server: what is wrong is in `errors`. Nothing was saved.",
  errors: faultsOf(problems),
});

const isCursor = z.string().check(z.regex(/^[0-9TZ :.+-]{10,40}~[0-9a-f-]{36}$/));
const base = { tag: "Deployments", query: {}, problems: [] } as const;

export const deploymentOperations = [
  operation({
    ...{ ...base, method: "GET", path: "/deployments", id: "listDeployments" },
    summary: "The deployments of the workspace, last saved first, 20 at a time",
    scope: "deployments:read",
    ...{ params: {}, query: { cursor: cursorField }, status: 200 },
    answer: pageOf("DeploymentPage", "deployments", deployment),
    async run({ query: { cursor }, sources: { records } }): Promise<Outcome> {
      const after = cursor === undefined ? undefined : placeIn(cursor, isCursor);
      if (cursor !== undefined && after === undefined) return invalidCursor;
      const found = await records.deployments(after);
      if (!found) return unavailable;
      const { deployments, next } = found;
      return {
        value: {
          items: deployments.map(deploymentView),
          next_cursor: next === undefined ? null : cursorOf(next),
        },
      };
    },
  }),
  operation({
    ...{ ...base, method: "POST", path: "/deployments", id: "createDeployment" },
    summary: "Makes a deployment",
    description:
      "As many as the workspace's plan has room for. It makes no machine and starts nothing.",
    scope: "deployments:write",
    ...{ params: {}, body: change, status: 201, answer: deployment, problems: ["plan"] },
    async run({ body, sources: { records } }): Promise<Outcome> {
      const parsed = parseOptions(body.options);
      if (!parsed.options) return wrongOptions(parsed.problems);
      const made = await records.create({ name: body.name.trim(), options: parsed.options });
      if (!made.ok) return refusal(made);
      const found = await records.deployment(made.id);
      if (found.state !== "found") return missing(found, "deployment");
      return {
        value: deploymentView(found.value),
        headers: { location: `/api/v1/deployments/${made.id}`, etag: await tagOf(found.value) },
      };
    },
  }),
  operation({
    ...{ ...base, method: "GET", path: "/deployments/{deployment}", id: "getDeployment" },
    summary: "One deployment",
    scope: "deployments:read",
    ...{ params: { deployment: uuid }, status: 200, answer: deployment },
    async run({ params, sources: { records } }): Promise<Outcome> {
      const found = await records.deployment(params.deployment);
      if (found.state !== "found") return missing(found, "deployment");
      return { value: deploymentView(found.value) };
    },
  }),
  operation({
    ...{ ...base, method: "PUT", path: "/deployments/{deployment}", id: "saveDeployment" },
    summary: "Saves a deployment's name and choices",
    description:
      "Choices that differ become a new version; the same again change nothing. It reaches no server by itself. `If-Match` is the tag with which the deployment was read.",
    scope: "deployments:write",
    ...{ params: { deployment: uuid }, body: change, status: 200, answer: deployment },
    ...{ needsIfMatch: true, problems: ["plan", "changed", "if-match-missing"] },
    async run({ params, body, call, sources: { records } }): Promise<Outcome> {
      if (call.ifMatch === null) {
        const detail =
          "Send the tag with which you read the deployment as If-Match, so that nobody's change is lost.";
        return { problem: "if-match-missing", detail };
      }
      const parsed = parseOptions(body.options);
      if (!parsed.options) return wrongOptions(parsed.problems);
      const found = await records.deployment(params.deployment);
      if (found.state !== "found") return missing(found, "deployment");
      if (!namesTag(call.ifMatch, await tagOf(found.value))) {
        return { problem: "changed", detail: changed };
      }
      const saved = await records.save(found.value.id, {
        ...{ name: body.name.trim(), options: parsed.options },
        ...{ expectedVersion: found.value.version, seen: found.value.updatedAt },
      });
      if (!saved.ok) return refusal(saved);
      const after = await records.deployment(params.deployment);
      if (after.state !== "found") return missing(after, "deployment");
      return { value: deploymentView(after.value), headers: { etag: await tagOf(after.value) } };
    },
  }),
];
