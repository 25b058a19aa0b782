import { readVersion } from "~/features/deployments/record/deployments.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import {
  auditRolloutChange,
  type ChangeOutcome,
  notReached,
  outcomeOf,
  refused,
  type rolloutActions,
  type ServerFormScope,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { isServerId } from "../server-id";
import { readApprovers } from "./approvers-page/approvers.server";
import { approvalRefusalWords, rolloutRefusalWords } from "./refusal-words";
import { currentTarget, isPastAbort } from "./rollout";
import { type RefusedApproval, type RolloutRefusal, requestedChange } from "./rollout-request";
import { type UpdateWindow, updateWindow } from "./update-window";

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
  const window = windowIn(form);
  const wanted = {
    ...{ servers: [server.id], withOthers, deployment, version: number, isLower },
    ...{ window, savesWindow: true as const },
    ...{ by: principal.user.email ?? "a member" },
    inputs: { options: stored.options, version: number, url },
  };
  const { FLEETS } = context.bindings;
  const checked = await orUndefined(
    FLEETS.checkRollout(workspace.id, wanted).then((answer) => ({ answer })),
  );
  if (!checked) return notReached("servers");
  if (checked.answer) return requestOutcome(checked.answer);
  const change = requestedChange({ version: number, isLower, window });
  const noted = await note(scope, "rollout.requested", change);
  if (!noted.ok) return noted;
  const made = await orUndefined(
    FLEETS.requestRollout(workspace.id, wanted).then((answer) => ({ answer })),
  );
  if (!made) return notReached("servers");
  const outcome = requestOutcome(made.answer);
  if (!outcome.ok) await note(scope, "rollout.refused", change);
  return outcome;
}

/** Undefined where it is to begin at once. What is no window of hours the fleet refuses. */
function windowIn(form: URLSearchParams): UpdateWindow | undefined {
  const from = form.get("window-from");
  if (!from) return;
  const sent = { from: Number(from), until: Number(form.get("window-until") ?? from) };
  return updateWindow.safeParse(sent).data ?? { from: 0, until: 0 };
}

const requestOutcome = (answer: object | { refused: RolloutRefusal }): ChangeOutcome =>
  "refused" in answer ? refused(409, rolloutRefusalWords[answer.refused]) : { ok: true };

async function approve(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, form, principal } = scope;
  const { FLEETS } = context.bindings;
  const found = await openRollout(scope);
  if (!("change" in found)) return found;
  const { id, change } = found;
  const credential = form.get("credential") ?? "";
  const approvers = await readApprovers(scope);
  if (!approvers) return notReached("servers");
  const isMine = approvers.passkeys.some(
    (each) => each.credential === credential && each.person === principal.user.id,
  );
  if (!isMine) return refused(409, approvalRefusalWords["no-passkey"]);
  const assertion = {
    ...{ credential, authenticatorData: form.get("authenticator-data") ?? "" },
    ...{ clientData: form.get("client-data") ?? "", signature: form.get("signature") ?? "" },
  };
  const checked = await orUndefined(
    FLEETS.checkApproval(workspace.id, id, principal.user.id, assertion).then((refusal) => ({
      refusal,
    })),
  );
  if (!checked) return notReached("servers");
  if (checked.refusal) return refusedApproval(checked.refusal);
  const noted = await note(scope, "rollout.approved", change);
  if (!noted.ok) return noted;
  const made = await orUndefined(
    FLEETS.approveRollout(workspace.id, id, principal.user.id, assertion).then((answer) => ({
      answer,
    })),
  );
  if (!made) return notReached("servers");
  if ("refused" in made.answer) {
    await note(scope, "rollout.refused", change);
    return refusedApproval(made.answer);
  }
  const database = serviceClient(context.configuration, context.caller);
  const used = { workspace: workspace.id, used_credential: credential };
  const { error } = await database.rpc("note_passkey_use", used);
  if (error) log.error("The use of a passkey was not noted", describeError(error));
  return { ok: true };
}

const refusedApproval = ({ refused: why, server = "A server" }: RefusedApproval) =>
  refused(
    409,
    approvalRefusalWords[why].replace("{server}", () => server),
  );

async function abort(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, principal } = scope;
  const found = await openRollout(scope);
  if (!("change" in found)) return found;
  if (found.isPastAbort) return tooLate;
  const noted = await note(scope, "rollout.aborted", found.change);
  if (!noted.ok) return noted;
  const by = principal.user.email ?? "a member";
  const aborted = context.bindings.FLEETS.abortRollout(workspace.id, found.id, by);
  const outcome = await outcomeOf(aborted, "servers", tooLate);
  if (outcome === tooLate) await note(scope, "rollout.refused", found.change);
  return outcome;
}

/** The rollout that a form names, where it is open and of this server. `change`: what the audit log says of it. */
async function openRollout({ context, workspace, server, form }: ServerFormScope) {
  const id = form.get("rollout") ?? "";
  if (!isServerId(id)) return refused(404, gone);
  const read = await orUndefined(
    context.bindings.FLEETS.rollouts(workspace.id, server.id).then((found) => ({ found })),
  );
  if (!read) return notReached("servers");
  const rollout = read.found?.list.find((each) => each.id === id);
  const target = rollout && currentTarget(rollout);
  if (!target) return refused(404, gone);
  const change = { rollout: id, version: rollout.version };
  return { id, change, isPastAbort: isPastAbort(target.state) };
}

const note = (
  scope: ServerFormScope,
  action: (typeof rolloutActions)[number],
  after: Record<string, string | number>,
): Promise<ChangeOutcome> =>
  auditRolloutChange(scope, {
    ...{ action, target: scope.server.name, targetId: scope.server.id, after },
  });

const noVersion = "There is no such version of this deployment. Load the page again.";
const gone = "There is no such rollout any more. Load the page again.";
const tooLate = refused(
  409,
  "It is too late to abort it: its files are being exchanged, or it has ended.",
);
