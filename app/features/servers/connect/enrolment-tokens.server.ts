import { data } from "react-router";
import { basicPriceIds } from "~/features/billing/prices/prices";
import { machinesOf } from "~/features/deployments/bundle/options/derived-options";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import type { WorkspaceFacts } from "~/features/servers/state/workspace-facts.server";
import { roleChanged } from "~/features/workspaces/roles";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import {
  auditAlertChange,
  auditServerChange,
  type ChangeRefusal,
  type ChangeScope,
  notReached,
  refused,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import type { Revoked } from "../ingest/enrolment.server";
import { channelTitle, turnAuditWords } from "../notifications/channel";
import { sendApprovers } from "../rollouts/approvers-page/approvers.server";
import { connectedIn, countRefusal, machineCount, quotaRefusal, serversLeft } from "./server-quota";
import { workspaceFacts } from "./update-fleets.server";

/** For how long a token lets a machine introduce itself, in hours. */
const tokenHours = 72;

/** So many more machines may come with a bundle than it is for: a VM may have to be made again. */
const spareUses = 2;

/** `machines`: how many it connects. */
export type MadeToken = { token: string; ends: string; machines: number };

/** `left`: how many more servers the quota allows, where they are too few. */
type TokenRefusal = ChangeRefusal & { left?: number };

/**
 * A token by which machines made from this version introduce themselves. It is shown or handed out once. `machines`: that of
 * a bundle is for one server, or for all machines of a cluster, which have the same files: each makes a key of its own. Their
 * user data may fetch the files of the version's options.
 */
export async function makeEnrolmentToken(
  scope: ChangeScope,
  deployment: Pick<Deployment, "id" | "name" | "version" | "stored">,
  purpose: "bundle" | { machines: number },
): Promise<({ ok: true } & MadeToken) | TokenRefusal> {
  const options = "options" in deployment.stored ? deployment.stored.options : undefined;
  const { SERVERS_URL: url } = scope.context.configuration;
  const { id, name, version } = deployment;
  const all = options ? machinesOf(options) : 1;
  return makeToken(scope, {
    places: purpose === "bundle" ? (connected) => Math.max(1, all - connected) : purpose.machines,
    machines: purpose === "bundle" ? all + spareUses : purpose.machines,
    audited: { target: name, targetId: id, after: { version } },
    terms: {
      deployment: id,
      ...(options ? { domain: options.domain } : {}),
      ...(options && url && purpose === "bundle" ? { inputs: { options, version, url } } : {}),
    },
  });
}

/** A token by which one machine is connected as it is, and what its server is to be called. It is shown once. */
export function makeTokenOfNone(
  scope: ChangeScope,
  name: string,
): Promise<({ ok: true } & MadeToken) | TokenRefusal> {
  const audited = { target: name, targetId: scope.workspace.id, after: {} };
  return makeToken(scope, { places: 1, machines: 1, audited, terms: { name } });
}

type TokenTerms = Parameters<Env["FLEETS"]["makeToken"]>[0];

/** `places`: so many more servers must fit into the quota, where so many of the deployment are connected. */
async function makeToken(
  scope: ChangeScope,
  {
    places,
    machines,
    audited: { after, ...target },
    terms,
  }: {
    places: number | ((connected: number) => number);
    machines: number;
    audited: { target: string; targetId: string; after: Record<string, number> };
    terms: Pick<TokenTerms, "deployment" | "name" | "domain" | "inputs">;
  },
): Promise<({ ok: true } & MadeToken) | TokenRefusal> {
  const { FLEETS } = scope.context.bindings;
  const opened = await openFleet(scope);
  if (!opened.ok) return opened;
  const { facts } = opened;
  const overview = await orUndefined(FLEETS.overview(scope.workspace.id));
  if (!overview) return notReached("servers");
  const quota = { allowed: facts.servers, connected: connectedIn(overview.servers) };
  const left = serversLeft(quota);
  const refusal = quotaRefusal(quota);
  if (refusal) return { ...refused(403, refusal), left };
  const here = overview.servers.filter(({ deployment }) => deployment === terms.deployment);
  const wanted = typeof places === "number" ? places : places(connectedIn(here));
  if (wanted > left) return { ...refused(403, countRefusal(left)), left };
  const audited = await auditServerChange(scope, {
    ...{ action: "server.token-made", ...target, after: { ...after, machines } },
  });
  if (!audited.ok) return audited;
  const { user } = scope.principal;
  const made = await orUndefined(
    FLEETS.makeToken({
      ...{ workspace: scope.workspace.id, ...terms, uses: machines, hours: tokenHours, facts },
      maker: { person: user.id, ...(user.emailVerified ? { address: user.email } : {}) },
    }),
  );
  if (!made) return notReached("servers");
  // The machine learns them when it enrols. Before the first token there is nowhere to keep them.
  await sendApprovers(scope);
  if (made.firstChannel) {
    const target = channelTitle({ kind: "mail", address: user.email }, false);
    await auditAlertChange(scope, {
      ...{ action: "channel.added", target, targetId: made.firstChannel },
      after: { told: turnAuditWords.first },
    });
  }
  return { ok: true, token: made.token, ends: new Date(made.ends).toISOString(), machines };
}

/**
 * Notes that the workspace has servers, before its first token is made or check is counted: so nothing that is kept of
 * them can be forgotten when it is deleted. The database asks for the role once more.
 */
export async function openFleet({
  context,
  principal,
  workspace,
}: ChangeScope): Promise<{ ok: true; facts: WorkspaceFacts } | ChangeRefusal> {
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "open_fleet",
    {
      actor: principal.user.id,
      workspace: workspace.id,
      basic_prices: basicPriceIds(context.configuration),
    },
  );
  if (error) {
    log.error("A fleet was not noted", describeError(error));
    return notReached("servers");
  }
  return data === null
    ? refused(403, roleChanged)
    : { ok: true, facts: workspaceFacts.parse(data) };
}

/** Revokes tokens: those of a deployment, or those that connect machines as they are. Servers that they have connected go on. */
async function revokeEnrolmentTokens(
  scope: ChangeScope,
  { id, name }: { id: string; name: string },
  which: Revoked,
): Promise<{ ok: true } | ChangeRefusal> {
  const audited = await auditServerChange(scope, {
    ...{ action: "server.tokens-revoked", target: name, targetId: id },
  });
  if (!audited.ok) return audited;
  const { FLEETS } = scope.context.bindings;
  const revoked = FLEETS.revokeTokens(scope.workspace.id, which).then(() => true);
  return (await orUndefined(revoked)) ? { ok: true } : notReached("servers");
}

/** Revokes the tokens by which machines are connected as they are. */
export function revokeTokensOfNone(scope: ChangeScope): Promise<{ ok: true } | ChangeRefusal> {
  const { id } = scope.workspace;
  return revokeEnrolmentTokens(
    scope,
    { id, name: "servers without a deployment" },
    "without-deployment",
  );
}

/** Ends the keys of a deleted deployment's servers, and its tokens. The cron makes up for it where it fails. */
export async function endServersOf(
  { context, workspace }: Pick<ChangeScope, "context" | "workspace">,
  deployment: string,
): Promise<void> {
  if (!context.configuration.SERVERS_URL) return;
  await orUndefined(context.bindings.FLEETS.endDeployment(workspace.id, deployment));
}

const fieldRefused = "No token was made. Please look at the marked field.";

/** Makes a token for as many machines as the form of a deployment's page asks. */
export async function answerConnect({
  deployment,
  form,
  ...scope
}: ChangeScope & { deployment: Deployment; form: URLSearchParams }) {
  const text = form.get("machines") ?? "1";
  const machines = machineCount(text);
  if (machines === undefined) {
    const outcome = { message: fieldRefused, machines: { text, error: countRefusal() } };
    return data<StepOutcome>(outcome, { status: 400 });
  }
  const made = await makeEnrolmentToken(scope, deployment, { machines });
  if (!made.ok) {
    const outcome = made.left
      ? { message: fieldRefused, machines: { text, error: made.message } }
      : { message: made.message, machines: { text } };
    return data<StepOutcome>(outcome, { status: made.status });
  }
  const { ok: _, ...token } = made;
  return data<StepOutcome>({ token });
}

/** Revokes the tokens by which machines can still be connected to a deployment. */
export async function answerRevoke({
  deployment,
  ...scope
}: ChangeScope & { deployment: Deployment }) {
  const which = { deployment: deployment.id };
  const revoked = await revokeEnrolmentTokens(scope, deployment, which);
  if (revoked.ok) return data<StepOutcome>({ areTokensRevoked: true });
  return data<StepOutcome>({ message: revoked.message }, { status: revoked.status });
}
