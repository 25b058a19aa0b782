import { type ActionFunctionArgs, data } from "react-router";
import type { GuardRefusal } from "~/features/auth/guard.server";
import {
  type Principal,
  type PrincipalScope,
  sessionContext,
} from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import type { fill } from "./fill";
import type { Workspace } from "./my-workspaces.server";
import { openWorkspace } from "./workspace.server";
import { type Refused, sentenceOf, statusOf, workspaceWords } from "./workspace-words.server";

type WorkspaceScope = PrincipalScope & { workspace: Workspace };

/** What a form of a workspace's page is carried out with. */
export type FormScope = WorkspaceScope & { database: ServiceClient; form: URLSearchParams };

type FormStatus = 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;

/** Why a form changes nothing: by a name, for whose sentence there may be values, or in a sentence of its own. */
export type FormRefusal =
  | { refused: Refused; values?: Parameters<typeof fill>[1] }
  | { says: string; status: FormStatus };

/** What came of a form. A refusal has what was typed, as the page wants it. */
export type FormOutcome<Done, Typed> = ({ ok: true } & Done) | RefusedForm<Typed>;
export type RefusedForm<Typed> = {
  ok: false;
  status: FormStatus;
  message: string;
  intent: string;
} & Typed;

/** The forms of a page: what each intent does, and what a refusal shows of the form again. */
type PageForms<Done, Typed> = {
  changes: Readonly<Record<string, (scope: FormScope) => Promise<Done | FormRefusal>>>;
  typed: (form: URLSearchParams, why?: GuardRefusal["why"]) => Typed;
};

/** Carries out what a form asks for; its `intent` says which. */
export async function carryOut<Done extends object, Typed>(
  forms: PageForms<Done, Typed>,
  scope: WorkspaceScope,
  form: URLSearchParams,
): Promise<FormOutcome<Done, Typed>> {
  const { context, workspace } = scope;
  const intent = form.get("intent") ?? "";
  const change = Object.hasOwn(forms.changes, intent) ? forms.changes[intent] : undefined;
  const database = serviceClient(context.configuration, context.caller);
  const answer: Done | FormRefusal = change
    ? await change({ ...scope, database, form })
    : { refused: "intent" };
  if ("says" in answer) {
    return refusedForm(forms, { status: answer.status, message: answer.says }, form);
  }
  if (!("refused" in answer)) return { ok: true, ...answer };
  const { refused, values } = answer;
  const message = sentenceOf(refused, await workspaceWords(context), {
    ...{ workspace: workspace.name, ...values },
  });
  return refusedForm(forms, { status: statusOf(refused), message }, form);
}

/** A refusal of a form, also the guard's. */
export function refusedForm<Done, Typed>(
  { typed }: PageForms<Done, Typed>,
  { status, message, why }: { status: FormStatus; message: string; why?: GuardRefusal["why"] },
  form: URLSearchParams,
): RefusedForm<Typed> {
  const intent = form.get("intent") ?? "";
  return { ok: false, status, message, intent, ...typed(form, why) };
}

/**
 * What the action of a page does with its forms, for `guarded`. A form that was carried out is answered by the page
 * itself, or leads to where `landing` says.
 */
export function pageForms<Done extends object, Typed>(
  forms: PageForms<Done, Typed>,
  landing?: (done: Done, workspace: Workspace) => Response | undefined,
) {
  return {
    async refused(refusal: GuardRefusal, { request }: ActionFunctionArgs) {
      return answerOf(refusedForm(forms, refusal, await readForm(request)));
    },
    async allowed({ request, context }: ActionFunctionArgs, principal: Principal) {
      const workspace = openWorkspace(context);
      const scope = {
        context: context.get(appContext),
        session: context.get(sessionContext),
        ...{ principal, workspace },
      };
      const outcome = await carryOut(forms, scope, await readForm(request));
      return (outcome.ok && landing?.(outcome, workspace)) || answerOf(outcome);
    },
  };

  function answerOf(outcome: FormOutcome<Done, Typed>) {
    return data(outcome, { status: outcome.ok ? 200 : outcome.status });
  }
}
