import type { PostgrestError } from "@supabase/supabase-js";
import { defaultConfiguration, voices } from "~/content/model-configuration";
import { planQuotas } from "~/content/plans";
import { hashOf, newToken } from "~/features/agents/api/token";
import { fits } from "~/features/agents/usage/reports.server";
import type { GuardRefusal } from "~/features/auth/guard.server";
import type { PrincipalScope, RequestScope } from "~/features/auth/session/session.server";
import { basicPriceIds } from "~/features/billing/prices/prices";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { roleChanged } from "~/features/workspaces/roles";
import { maxIdentityBytes, maxTokens } from "~/platform/database/quotas";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { dayMs } from "~/ui/dates";
import { checkConfiguration, isText } from "./configuration";
import type { UserOutcome } from "./own-view";
import { readVersions } from "./saved-configuration.server";
import { endChoices, scopeChoices } from "./token-choices";

const maxTokensAllowed = 1e15;
/** In bytes. 10,000 characters of instructions are at most 90 kB in a form. */
export const maxFormBytes = 128 * 1024;
const guid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

type ChangeScope = RequestScope & {
  database: ServiceClient;
  /** Who acts. */
  owner: string;
  saver: string;
  /** The id of the workspace that changes. */
  workspace: string;
};
type Change = (form: URLSearchParams, scope: ChangeScope) => Promise<UserOutcome>;

const refused = (
  status: Extract<UserOutcome, { ok: false }>["status"],
  message: string,
): Extract<UserOutcome, { ok: false }> => ({ ok: false, status, message });
const done = (message: string): UserOutcome => ({ ok: true, message });

export const configurationUnreadable =
  "Your configuration cannot be read right now. It is safe. Please try again in a moment.";

const changes = {
  save,
  restore,
  "create-token": createToken,
  "revoke-token": revokeToken,
  "set-allowance": setAllowance,
} satisfies Record<string, Change>;
export type UserIntent = keyof typeof changes;

const isIntent = (named: string): named is UserIntent => Object.hasOwn(changes, named);

/** Carries out what one of the forms of a workspace's page asks for; its `intent` says which. */
export async function changeOwn(
  { workspace, ...scope }: PrincipalScope & { workspace: Pick<Workspace, "id"> | null },
  form: URLSearchParams | undefined,
): Promise<UserOutcome> {
  if (!form) return refused(413, "This is too long. Shorten it, please.");
  const intent = form.get("intent") ?? "";
  if (!isIntent(intent)) return refused(400, "Choose what to do, then try again.");
  if (!workspace) return notSaved();
  const { id: owner, email: saver } = scope.principal.user;
  const database = serviceClient(scope.context.configuration, scope.context.caller);
  return changes[intent](form, { ...scope, database, owner, saver, workspace: workspace.id });
}

/** The outcome of a change that the guard refused. */
export function refusedChange({ why, status, message }: GuardRefusal): UserOutcome {
  const outcome = refused(status, message);
  if (why === "second-factor") return { ...outcome, missing: "second-factor" };
  return why === "not-recent" ? { ...outcome, missing: "recent-sign-in" } : outcome;
}

function failed(error: PostgrestError): UserOutcome {
  if (isRoleRefusal(error)) return refused(403, roleChanged);
  log.error("A model configuration could not be changed", describeError(error));
  return notSaved();
}

const notSaved = () =>
  refused(
    503,
    "This could not be saved right now. What you typed is still here. Please try again in a moment.",
  );

async function save(form: URLSearchParams, scope: ChangeScope): Promise<UserOutcome> {
  const { modalities } = defaultConfiguration;
  const { configuration, problems } = checkConfiguration(form, { modalities, voices });
  const [first] = Object.values(problems);
  if (first) return { ...refused(400, first), problems };
  const { data, error } = await scope.database.rpc("save_model_configuration", {
    owner: scope.owner,
    saver: scope.saver,
    expected_version: versionIn(form),
    new_model: configuration.model,
    new_instructions: configuration.instructions,
    new_voice: configuration.voice,
    new_transcription_model: configuration.inputAudioTranscription.model,
    workspace: scope.workspace,
  });
  if (error) return failed(error);
  if (data !== null) {
    return { ok: true, message: "Configuration updated successfully!", version: data };
  }
  const newest = await readVersions(scope.session.supabase, { id: scope.workspace }, 1);
  return {
    ...refused(
      409,
      "This configuration was saved elsewhere in the meantime. Look at the versions, then update again to save yours over it.",
    ),
    ...("error" in newest ? {} : { version: newest.versions[0]?.version ?? 0 }),
  };
}

async function restore(form: URLSearchParams, scope: ChangeScope): Promise<UserOutcome> {
  const version = versionIn(form);
  const { data, error } = await scope.database.rpc("restore_model_configuration", {
    owner: scope.owner,
    saver: scope.saver,
    old_version: version,
    workspace: scope.workspace,
  });
  if (error) return failed(error);
  return data === null
    ? refused(404, "There is no such version.")
    : {
        ok: true,
        message: `Version ${version} is in force again, as version ${data}.`,
        version: data,
      };
}

async function createToken(form: URLSearchParams, scope: ChangeScope): Promise<UserOutcome> {
  const name = form.get("name")?.trim() ?? "";
  if (!name || name.length > 60 || !isText(name)) {
    return refused(400, "Name the token in 1 to 60 characters.");
  }
  const limits = limitsIn(form);
  if (!limits) return refused(400, "Choose what the token may do, and until when, from the lists.");
  const token = await newToken(scope.context.configuration);
  const { data, error } = await scope.database.rpc("create_api_token", {
    owner: scope.owner,
    new_name: name,
    new_hash: await hashOf(token),
    new_ending: token.slice(-4),
    allowed: maxTokens,
    workspace: scope.workspace,
    ...limits,
  });
  if (error) return failed(error);
  return data
    ? { ok: true, message: "Copy the token now: it is not shown again.", token }
    : refused(409, `You have ${maxTokens} tokens. Revoke one first.`);
}

/** What a new token is for, and its end; undefined for what the form does not offer. */
function limitsIn(form: URLSearchParams): { new_scopes?: string[]; new_end?: string } | undefined {
  const scope = form.get("scope") ?? "";
  const days = form.get("days") ?? "";
  const offers = (choices: readonly { value: string }[], chosen: string) =>
    choices.some(({ value }) => value === chosen);
  if (!offers(scopeChoices, scope) || !offers(endChoices, days)) return;
  return {
    ...(scope ? { new_scopes: [scope] } : {}),
    ...(days ? { new_end: new Date(Date.now() + Number(days) * dayMs).toISOString() } : {}),
  };
}

async function revokeToken(form: URLSearchParams, scope: ChangeScope): Promise<UserOutcome> {
  const target = form.get("token") ?? "";
  const unknown = refused(404, "There is no such token.");
  if (!guid.test(target)) return unknown;
  const { data, error } = await scope.database.rpc("revoke_api_token", {
    owner: scope.owner,
    target,
  });
  if (error) return failed(error);
  return data ? done("The token is revoked: nothing gets in with it any more.") : unknown;
}

/** A function and no constant: the first number formatted for a locale takes 25 ms, too long for a Worker's start. */
const tooManyAllowances = () =>
  `You have as many allowances as your plan holds: ${planQuotas.none.tokenAllowances} without a plan, ${planQuotas.basic.tokenAllowances} with Basic, ${planQuotas.pro.tokenAllowances.toLocaleString("en-US")} with Pro. Take one away first, by leaving its tokens empty.`;

async function setAllowance(form: URLSearchParams, scope: ChangeScope): Promise<UserOutcome> {
  const identity = form.get("identity")?.trim() ?? "";
  const tokensValue = form.get("tokens")?.trim() ?? "";
  if (!identity || !fits(identity) || !isText(identity) || /[\t\n]/.test(identity)) {
    return refused(
      400,
      `Name the identity in 1 to ${maxIdentityBytes} letters. Those beyond A to Z count as up to four.`,
    );
  }
  const tokens = wholeNumber(tokensValue);
  if (tokensValue && (tokens === undefined || tokens > maxTokensAllowed)) {
    return refused(400, "An allowance is a whole number of tokens, 0 or more.");
  }
  const { data, error } = await scope.database.rpc("set_usage_allowance", {
    owner: scope.owner,
    of_identity: identity,
    basic_prices: basicPriceIds(scope.context.configuration),
    workspace: scope.workspace,
    ...(tokens === undefined ? {} : { tokens }),
  });
  if (error) return failed(error);
  if (!data) {
    log.warn("A quota was reached", { quota: "allowances" });
    return refused(409, tooManyAllowances());
  }
  return done(
    tokens === undefined
      ? `${identity} has no allowance any more, and no limit.`
      : `${identity} has ${tokens} tokens left.`,
  );
}

/** The version that a form names; 0, which no version has, if it names none that the database could hold. */
function versionIn(form: URLSearchParams): number {
  const version = wholeNumber(form.get("version")) ?? 0;
  return version < 2 ** 31 ? version : 0;
}

function wholeNumber(value: string | null): number | undefined {
  return value && /^\d{1,16}$/.test(value) ? Number(value) : undefined;
}
