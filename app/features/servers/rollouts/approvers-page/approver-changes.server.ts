import { orUndefined } from "~/features/servers/fleets.server";
import { isServerId } from "~/features/servers/server-id";
import {
  type FormOutcome,
  type FormRefusal,
  type FormScope,
  pageForms,
} from "~/features/workspaces/page-forms.server";
import { databaseFailed } from "~/features/workspaces/workspace-words.server";
import { relyingParty } from "../relying-party";
import { sendApprovers } from "./approvers.server";
import { isChallenge } from "./challenge.server";

const maxPasskeys = 5;

/** What a form of the page did. `isSent`: whether the servers Worker has heard of it. */
type Changed = { done: ApproverIntent; isSent: boolean; fingerprint?: string };
export type ApproverOutcome = FormOutcome<Changed, ReturnType<typeof typed>>;
export type ApproverIntent = "add-passkey" | "remove-passkey" | "approvals-needed";

type Answer = { fingerprint?: string } | FormRefusal;

const typed = (form: URLSearchParams) => ({ name: (form.get("name") ?? "").slice(0, 100) });

/** The forms of the page of approvers, for its action. */
export const approverForms = pageForms<Changed, ReturnType<typeof typed>>({
  changes: {
    "add-passkey": sent("add-passkey", add),
    "remove-passkey": sent("remove-passkey", remove),
    "approvals-needed": sent("approvals-needed", setNeeded),
  } satisfies Record<ApproverIntent, unknown>,
  typed,
});

/** The same change, of which the servers Worker then hears. */
function sent(done: ApproverIntent, change: (scope: FormScope) => Promise<Answer>) {
  return async (scope: FormScope): Promise<Changed | FormRefusal> => {
    const answer = await change(scope);
    if ("refused" in answer || "says" in answer) return answer;
    return { done, isSent: await sendApprovers(scope), ...answer };
  };
}

async function add(scope: FormScope): Promise<Answer> {
  const { context, principal, workspace, database, form } = scope;
  const name = (form.get("name") ?? "").trim();
  if (!/^[^\p{Cc}\p{Cs}]{1,60}$/u.test(name)) return { refused: "passkey name" };
  const challenge = form.get("challenge") ?? "";
  const whose = { person: principal.user.id, workspace: workspace.id };
  if (!(await isChallenge(context, challenge, whose))) return { refused: "passkey" };
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
  if (!read) return { refused: "unavailable" };
  const { passkey } = read;
  if (!passkey) return { refused: "passkey" };
  const { data, error } = await database.rpc("add_approver_passkey", {
    ...{ actor: principal.user.id, workspace: workspace.id, new_name: name },
    ...{ new_credential: passkey.credential, new_key: passkey.key },
    ...{ new_fingerprint: passkey.fingerprint, allowed: maxPasskeys },
  });
  if (error) return databaseFailed(error);
  if (data === "added") return { fingerprint: passkey.fingerprint };
  return { refused: data === "full" ? "passkeys full" : "passkey known" };
}

async function remove({ principal, workspace, database, form }: FormScope): Promise<Answer> {
  const target = form.get("passkey") ?? "";
  if (!isServerId(target)) return { refused: "no such passkey" };
  const { data, error } = await database.rpc("remove_approver_passkey", {
    ...{ actor: principal.user.id, workspace: workspace.id, target },
  });
  if (error) return databaseFailed(error);
  return data ? {} : { refused: "no such passkey" };
}

async function setNeeded({ principal, workspace, database, form }: FormScope): Promise<Answer> {
  const wanted = form.get("needed");
  if (wanted !== "1" && wanted !== "2") return { refused: "intent" };
  const { error } = await database.rpc("set_approvals_needed", {
    ...{ actor: principal.user.id, workspace: workspace.id, wanted: Number(wanted) },
  });
  if (error) return databaseFailed(error);
  return {};
}
