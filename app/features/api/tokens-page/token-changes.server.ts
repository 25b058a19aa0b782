import { isServerId } from "~/features/servers/server-id";
import {
  type FormOutcome,
  type FormRefusal,
  type FormScope,
  pageForms,
} from "~/features/workspaces/page-forms.server";
import { databaseFailed } from "~/features/workspaces/workspace-words.server";
import { hashOf } from "~/http/bearer-token";
import { dayMs } from "~/ui/dates";
import { isScope } from "../scopes";
import { newWorkspaceToken } from "../site/token";
import { endChoices, maxTokens } from "./choices";

/** What a form of the page did. `token` is shown once, in this answer. */
type Changed = { token: string } | { revoked: true };
export type TokenOutcome = FormOutcome<Changed, ReturnType<typeof typed>>;

type Answer = Changed | FormRefusal;

const changes = {
  "make-token": make,
  "revoke-token": revoke,
} satisfies Record<string, (scope: FormScope) => Promise<Answer>>;
export type TokenIntent = keyof typeof changes;

const typed = (form: URLSearchParams) => ({
  typed: {
    name: (form.get("name") ?? "").slice(0, 100),
    scopes: scopesIn(form),
    days: form.get("days") ?? "",
  },
});

/** The forms of the page of API tokens, for its action. */
export const tokenForms = pageForms<Changed, ReturnType<typeof typed>>({ changes, typed });

/** A form has no field twice: each scope is a field of its own. */
const scopesIn = (form: URLSearchParams): string[] => [...form.keys()].filter(isScope);

async function make(scope: FormScope): Promise<Answer> {
  const { context, principal, workspace, database, form } = scope;
  const name = (form.get("name") ?? "").trim();
  if (!/^[^\p{Cc}\p{Cs}]{1,60}$/u.test(name)) return { refused: "token name" };
  const scopes = scopesIn(form);
  const days = endChoices.find((each) => each === form.get("days"));
  if (scopes.length === 0 || days === undefined) return { refused: "token scopes" };
  const token = await newWorkspaceToken(context.configuration);
  const { data, error } = await database.rpc("create_workspace_token", {
    ...{ actor: principal.user.id, workspace: workspace.id },
    ...{ new_name: name, new_hash: await hashOf(token), new_ending: token.slice(-4) },
    ...{ new_scopes: scopes, new_end: new Date(Date.now() + Number(days) * dayMs).toISOString() },
    allowed: maxTokens,
  });
  if (error) return databaseFailed(error);
  return data ? { token } : { refused: "token full" };
}

async function revoke({ principal, workspace, database, form }: FormScope): Promise<Answer> {
  const target = form.get("token") ?? "";
  if (!isServerId(target)) return { refused: "no such token" };
  const { data, error } = await database.rpc("revoke_workspace_token", {
    ...{ actor: principal.user.id, workspace: workspace.id, target },
  });
  if (error) return databaseFailed(error);
  return data ? { revoked: true } : { refused: "no such token" };
}
