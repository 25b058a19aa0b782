import type { PrincipalScope } from "~/features/auth/session/session.server";
import { isServerId } from "~/features/servers/server-id";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import {
  type Refused,
  sentenceOf,
  statusOf,
  unavailable,
  workspaceWords,
} from "~/features/workspaces/workspace-words.server";
import { hashOf } from "~/http/bearer-token";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { dayMs } from "~/ui/dates";
import { isScope } from "../scopes";
import { newWorkspaceToken } from "../site/token";
import { endChoices, maxTokens } from "./choices";

/** What came of a form of the page. `token` is shown once, in this answer. */
export type TokenOutcome =
  | { ok: true; token: string }
  | { ok: true; revoked: true }
  | { ok: false; status: TokenStatus; message: string; intent: string; typed: Typed };
type TokenStatus = 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;
type Typed = { name: string; scopes: string[]; days: string };

type Scope = PrincipalScope & { workspace: Workspace; database: ServiceClient };
type Answer = { token: string } | { revoked: true } | { refused: Refused };

const changes = {
  "make-token": make,
  "revoke-token": revoke,
} satisfies Record<string, (scope: Scope, form: URLSearchParams) => Promise<Answer>>;
export type TokenIntent = keyof typeof changes;

const isIntent = (named: string): named is TokenIntent => Object.hasOwn(changes, named);

/** Carries out what a form of the page asks for; its `intent` says which. */
export async function changeTokens(
  scope: PrincipalScope & { workspace: Workspace },
  form: URLSearchParams,
): Promise<TokenOutcome> {
  const intent = form.get("intent") ?? "";
  const database = serviceClient(scope.context.configuration, scope.context.caller);
  const answer: Answer = isIntent(intent)
    ? await changes[intent]({ ...scope, database }, form)
    : { refused: "intent" };
  if (!("refused" in answer)) return { ok: true, ...answer };
  const words = await workspaceWords(scope.context);
  const message = sentenceOf(answer.refused, words, { workspace: scope.workspace.name });
  return refusedTokens({ status: statusOf(answer.refused), message }, form);
}

/** A refusal of this form, also the guard's, with what was typed. */
export function refusedTokens(
  { status, message }: { status: TokenStatus; message: string },
  form: URLSearchParams,
): Extract<TokenOutcome, { ok: false }> {
  const typed = {
    name: (form.get("name") ?? "").slice(0, 100),
    scopes: scopesIn(form),
    days: form.get("days") ?? "",
  };
  return { ok: false, status, message, intent: form.get("intent") ?? "", typed };
}

/** A form has no field twice: each scope is a field of its own. */
const scopesIn = (form: URLSearchParams): string[] => [...form.keys()].filter(isScope);

async function make({ context, principal, workspace, database }: Scope, form: URLSearchParams) {
  const name = (form.get("name") ?? "").trim();
  if (!/^[^\p{Cc}\p{Cs}]{1,60}$/u.test(name)) return { refused: "token name" } as const;
  const scopes = scopesIn(form);
  const days = endChoices.find((each) => each === form.get("days"));
  if (scopes.length === 0 || days === undefined) return { refused: "token scopes" } as const;
  const token = await newWorkspaceToken(context.configuration);
  const { data, error } = await database.rpc("create_workspace_token", {
    ...{ actor: principal.user.id, workspace: workspace.id },
    ...{ new_name: name, new_hash: await hashOf(token), new_ending: token.slice(-4) },
    ...{ new_scopes: scopes, new_end: new Date(Date.now() + Number(days) * dayMs).toISOString() },
    allowed: maxTokens,
  });
  if (error) return isRoleRefusal(error) ? notAllowed : unavailable(error);
  return data ? { token } : ({ refused: "token full" } as const);
}

async function revoke({ principal, workspace, database }: Scope, form: URLSearchParams) {
  const target = form.get("token") ?? "";
  if (!isServerId(target)) return { refused: "no such token" } as const;
  const { data, error } = await database.rpc("revoke_workspace_token", {
    ...{ actor: principal.user.id, workspace: workspace.id, target },
  });
  if (error) return isRoleRefusal(error) ? notAllowed : unavailable(error);
  return data ? ({ revoked: true } as const) : ({ refused: "no such token" } as const);
}

const notAllowed = { refused: "not allowed" } as const;
