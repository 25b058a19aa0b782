import * as z from "zod/mini";
import {
  listDeployments,
  listVersions,
  readDeployment,
  readVersion,
} from "~/features/deployments/record/deployments.server";
import {
  createDeployment,
  saveDeployment,
  type TokenScope,
} from "~/features/deployments/record/save-deployments.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import { auditAlertChange, auditRolloutChange } from "~/features/servers/audit-change.server";
import { noteWebhookChange } from "~/features/webhooks/site/note-change.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import type { ApiToken, Begun, Records, SavedAnswer } from "../call";

/** Changes of all tokens of a workspace in a day; as many answers are kept. */
const changesADay = 1_000;

const answer = z.object({
  ...{ status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() },
});
const begun = z.union([
  z.object({ state: z.enum(["new", "running", "other", "full", "gone"]) }),
  z.object({ state: z.literal("done"), answer }),
]);

/**
 * The rows of a token's workspace and of no other. The database's client knows no member here, so nothing is passed on
 * that does not say that it belongs to this workspace.
 */
export function recordsOf(context: AppContext, token: ApiToken): Records {
  const database = serviceClient(context.configuration, context.caller);
  const workspace = { id: token.workspace };
  const scope: TokenScope = { context, token, database };

  const deployment = async (id: string) => {
    const found = await readDeployment(database, id);
    return found.state === "found" && found.value.workspaceId !== workspace.id
      ? ({ state: "unknown" } as const)
      : found;
  };
  /** What is below a deployment is only there where that is the workspace's. */
  const below = async <Found>(id: string, read: (of: Deployment) => Promise<Found>) => {
    const found = await deployment(id);
    return found.state === "found" ? read(found.value) : found;
  };

  return {
    deployments: (after) => listDeployments(database, workspace, after),
    deployment,
    versions: (id, newest) => below(id, (of) => listVersions(database, of.id, newest)),
    version: (id, version) => below(id, (of) => readVersion(database, of.id, version)),
    create: (made) => createDeployment({ ...scope, workspace }, made),
    async save(id, { seen, ...change }) {
      const found = await deployment(id);
      if (found.state === "found") {
        return saveDeployment(scope, { ...found.value, updatedAt: seen }, change);
      }
      const status = found.state === "unknown" ? 404 : 503;
      return { ok: false, status, message: "There is no such deployment." };
    },
    audit: (change) => auditAlertChange({ context, actor: token.id, workspace }, change),
    auditRollout: (change) => auditRolloutChange({ context, actor: token.id, workspace }, change),
    noteWebhook: (change) =>
      noteWebhookChange(database, { actor: token.id, workspace: workspace.id }, change),
    async begin(key, hash): Promise<Begun | undefined> {
      const { data, error } = await database.rpc("begin_api_request", {
        ...{ token: token.id, new_key: key, new_hash: hash, allowed: changesADay },
      });
      if (!error) return begun.parse(data);
      log.error("A change by the API was not begun", describeError(error));
    },
    async settle(key: string, saved?: SavedAnswer) {
      const { error } = await database.rpc("settle_api_request", {
        ...{ token: token.id, settled_key: key },
        ...(saved ? { new_answer: saved } : {}),
      });
      if (error) log.error("A change by the API was not settled", describeError(error));
    },
  };
}
