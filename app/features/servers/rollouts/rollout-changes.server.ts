import { readVersion } from "~/features/deployments/record/deployments.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import {
  auditRolloutChange,
  type ChangeOutcome,
  notReached,
  outcomeOf,
  refused,
  type ServerFormScope,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { isServerId } from "../server-id";
import { approvalRefusalWords, rolloutRefusalWords } from "./refusal-words";

const changes = {
  "request-rollout": request,
  "approve-rollout": approve,
  "abort-rollout": abort,
} satisfies Record<string, (scope: ServerFormScope) => Promise<ChangeOutcome>>;
/** The forms of a server's page that are about a version that it is to take up. */
export type RolloutIntent = keyof typeof changes;

export const isRolloutIntent = (name: string): name is RolloutIntent =>
  Object.hasOwn(changes, name);

export const changeRollout = (
  intent: RolloutIntent,
  scope: ServerFormScope,
): Promise<ChangeOutcome> => changes[intent](scope);

async function request(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, session, workspace, server, form, principal } = scope;
  const { deployment } = server;
  const url = context.configuration.SERVERS_URL;
  const number = Number(form.get("version"));
  if (deployment === undefined || !url) return refused(409, rolloutRefusalWords.cannot);
  if (!Number.isSafeInteger(number) || number < 1) return refused(404, noVersion);
  const version = await readVersion(session.supabase, deployment, number);
  if (version.state !== "found") {
    return version.state === "unknown" ? refused(404, noVersion) : notReached("servers");
  }
  const { stored } = version.value;
  if (!("options" in stored)) return refused(409, rolloutRefusalWords["no-files"]);
  const isLower = form.get("lower") === "yes";
  const withOthers = form.get("others") === "yes";
  const noted = await auditRolloutChange(scope, {
    ...{ action: "rollout.requested", target: server.name, targetId: server.id },
    after: { version: number, ...(isLower ? { lower: "allowed" } : {}) },
  });
  if (!noted.ok) return noted;
  const made = await orUndefined(
    context.bindings.FLEETS.requestRollout(workspace.id, {
      ...{ servers: [server.id], withOthers, deployment, version: number, isLower },
      ...{ by: principal.user.email ?? "a member" },
      inputs: { options: stored.options, version: number, url },
    }).then((answer) => ({ answer })),
  );
  if (!made) return notReached("servers");
  const { answer } = made;
  return "refused" in answer ? refused(409, rolloutRefusalWords[answer.refused]) : { ok: true };
}

async function approve(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form, principal } = scope;
  const id = form.get("rollout") ?? "";
  if (!isServerId(id)) return refused(404, gone);
  const noted = await auditRolloutChange(scope, {
    ...{ action: "rollout.approved", target: server.name, targetId: server.id },
  });
  if (!noted.ok) return noted;
  const credential = form.get("credential") ?? "";
  const made = await orUndefined(
    context.bindings.FLEETS.approveRollout(workspace.id, id, principal.user.id, {
      ...{ credential, authenticatorData: form.get("authenticator-data") ?? "" },
      ...{ clientData: form.get("client-data") ?? "", signature: form.get("signature") ?? "" },
    }).then((answer) => ({ answer })),
  );
  if (!made) return notReached("servers");
  const { answer } = made;
  if ("refused" in answer) return refused(409, approvalRefusalWords[answer.refused]);
  const database = serviceClient(context.configuration, context.caller);
  const used = { workspace: workspace.id, used_credential: credential };
  const { error } = await database.rpc("note_passkey_use", used);
  if (error) log.error("The use of a passkey was not noted", describeError(error));
  return { ok: true };
}

async function abort(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form, principal } = scope;
  const id = form.get("rollout") ?? "";
  if (!isServerId(id)) return refused(404, gone);
  const noted = await auditRolloutChange(scope, {
    ...{ action: "rollout.aborted", target: server.name, targetId: server.id },
  });
  if (!noted.ok) return noted;
  const by = principal.user.email ?? "a member";
  return outcomeOf(
    context.bindings.FLEETS.abortRollout(workspace.id, id, by),
    "servers",
    refused(409, "It is too late to abort it: its files are being exchanged, or it has ended."),
  );
}

const noVersion = "There is no such version of this deployment. Load the page again.";
const gone = "There is no such rollout any more. Load the page again.";
