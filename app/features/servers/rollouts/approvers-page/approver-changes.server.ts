import type { PrincipalScope } from "~/features/auth/session/session.server";
import { orUndefined } from "~/features/servers/fleets.server";
import { isServerId } from "~/features/servers/server-id";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import {
  type Refused,
  sentenceOf,
  statusOf,
  unavailable,
  workspaceWords,
} from "~/features/workspaces/workspace-words.server";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { relyingParty } from "../relying-party";
import { sendApprovers } from "./approvers.server";
import { isChallenge } from "./challenge.server";

const maxPasskeys = 5;

/** What came of a form of the page. `isSent`: whether the servers Worker has heard of it. */
export type ApproverOutcome =
  | { ok: true; done: ApproverIntent; isSent: boolean; fingerprint?: string }
  | { ok: false; status: Status; message: string; intent: string; name: string };
type Status = 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;

type Scope = PrincipalScope & { workspace: Workspace; database: ServiceClient };
type Answer = { fingerprint?: string } | { refused: Refused };

const changes = {
  "add-passkey": add,
  "remove-passkey": remove,
  "approvals-needed": setNeeded,
} satisfies Record<string, (scope: Scope, form: URLSearchParams) => Promise<Answer>>;
export type ApproverIntent = keyof typeof changes;

const isIntent = (named: string): named is ApproverIntent => Object.hasOwn(changes, named);

/** Carries out what a form of the page asks for, and tells the servers Worker; its `intent` says which. */
export async function changeApprovers(
  scope: PrincipalScope & { workspace: Workspace },
  form: URLSearchParams,
): Promise<ApproverOutcome> {
  const intent = form.get("intent") ?? "";
  const database = serviceClient(scope.context.configuration, scope.context.caller);
  const answer: Answer = isIntent(intent)
    ? await changes[intent]({ ...scope, database }, form)
    : { refused: "intent" };
  if (!("refused" in answer) && isIntent(intent)) {
    const isSent = await sendApprovers(scope);
    return { ok: true, done: intent, isSent, ...answer };
  }
  const refused = "refused" in answer ? answer.refused : "intent";
  const words = await workspaceWords(scope.context);
  const message = sentenceOf(refused, words, { workspace: scope.workspace.name });
  return refusedApprovers({ status: statusOf(refused), message }, form);
}

/** A refusal of this form, also the guard's, with what was typed. */
export function refusedApprovers(
  { status, message }: { status: Status; message: string },
  form: URLSearchParams,
): Extract<ApproverOutcome, { ok: false }> {
  const name = (form.get("name") ?? "").slice(0, 100);
  return { ok: false, status, message, intent: form.get("intent") ?? "", name };
}

async function add(
  { context, principal, workspace, database }: Scope,
  form: URLSearchParams,
): Promise<Answer> {
  const name = (form.get("name") ?? "").trim();
  if (!/^[^\p{Cc}\p{Cs}]{1,60}$/u.test(name)) return { refused: "passkey name" } as const;
  const challenge = form.get("challenge") ?? "";
  const whose = { person: principal.user.id, workspace: workspace.id };
  if (!(await isChallenge(context, challenge, whose))) return { refused: "passkey" } as const;
  const read = await orUndefined(
    context.bindings.FLEETS.readPasskey(
      {
        clientData: form.get("client-data") ?? "",
        authenticatorData: form.get("authenticator-data") ?? "",
      },
      challenge,
      relyingParty(context.configuration.SITE_URL),
    ).then((passkey) => ({ passkey })),
  );
  if (!read) return { refused: "unavailable" } as const;
  const { passkey } = read;
  if (!passkey) return { refused: "passkey" } as const;
  const { data, error } = await database.rpc("add_approver_passkey", {
    ...{ actor: principal.user.id, workspace: workspace.id, new_name: name },
    ...{ new_credential: passkey.credential, new_key: passkey.key },
    ...{ new_fingerprint: passkey.fingerprint, allowed: maxPasskeys },
  });
  if (error) return isRoleRefusal(error) ? notAllowed : unavailable(error);
  if (data === "added") return { fingerprint: passkey.fingerprint };
  return { refused: data === "full" ? "passkeys full" : "passkey known" } as const;
}

async function remove(
  { principal, workspace, database }: Scope,
  form: URLSearchParams,
): Promise<Answer> {
  const target = form.get("passkey") ?? "";
  if (!isServerId(target)) return { refused: "no such passkey" } as const;
  const { data, error } = await database.rpc("remove_approver_passkey", {
    ...{ actor: principal.user.id, workspace: workspace.id, target },
  });
  if (error) return unavailable(error);
  return data ? {} : ({ refused: "no such passkey" } as const);
}

async function setNeeded(
  { principal, workspace, database }: Scope,
  form: URLSearchParams,
): Promise<Answer> {
  const wanted = form.get("needed");
  if (wanted !== "1" && wanted !== "2") return { refused: "intent" } as const;
  const { error } = await database.rpc("set_approvals_needed", {
    ...{ actor: principal.user.id, workspace: workspace.id, wanted: Number(wanted) },
  });
  if (error) return isRoleRefusal(error) ? notAllowed : unavailable(error);
  return {};
}

const notAllowed = { refused: "not allowed" } as const;
