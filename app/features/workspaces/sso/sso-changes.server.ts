import { dnsRecords } from "~/http/dns-records.server";
import { closePages } from "../end-access.server";
import type { FormScope } from "../page-forms.server";
import { databaseFailed, type Refused, refusal } from "../workspace-words.server";
import { ssoRecord } from "./sso-view.server";

const acts = ["add", "verify", "remove", "metadata", "require", "free", "end"] as const;

/** Acts that may take the workspace, or the sign-in, from members. */
const lossyActs = ["require", "end", "remove"] as const;

/** A change that was not made yet, and the addresses of the members who would lose something by it. */
export type SsoLosses = {
  act: (typeof lossyActs)[number];
  value: string;
  losers: readonly string[];
};

/**
 * Changes a workspace's single sign-on: the form's `act` says what, its `value` a domain or an address. Where members may
 * lose something the first press only names them.
 */
export async function changeSso(
  scope: FormScope,
): Promise<{ done: "sso" } | { losses: SsoLosses } | { refused: Refused }> {
  const { context, database, workspace, form, principal } = scope;
  if (!context.configuration.SINGLE_SIGN_ON) return { refused: "no sso" };
  const act = acts.find((each) => each === form.get("act"));
  if (!act) return { refused: "intent" };
  const value = (form.get("value") ?? "").trim().slice(0, 500);
  const missing = act === "verify" ? await recordMissing(scope, value) : undefined;
  if (missing) return { refused: missing };
  const actor = principal.user.id;
  const lossyAct = lossyActs.find((each) => each === act);
  if (lossyAct && form.get("sure") !== "yes") {
    const found = await database.rpc("losses_by_sso", {
      actor,
      workspace: workspace.id,
      act,
      value,
    });
    if (found.error) return databaseFailed(found.error);
    if (!found.data) return refusal("not allowed");
    return { losses: { act: lossyAct, value, losers: found.data } };
  }
  const { data, error } = await database.rpc("change_sso", {
    actor,
    workspace: workspace.id,
    act,
    value,
  });
  if (error) return databaseFailed(error);
  if (data !== "changed") return refusal(data);
  // Whoever lost the workspace by it sees it no longer.
  if (act === "require" || act === "end") closePages(context, [workspace.id], "all");
  return { done: "sso" };
}

/** Looks for the domain's record. It is asked of the resolver alone: nothing of the domain itself is. */
async function recordMissing(
  { context, database, workspace }: FormScope,
  domain: string,
): Promise<Refused | undefined> {
  const { data, error } = await database
    .from("sso_domains")
    .select("domain, token")
    .eq("workspace_id", workspace.id)
    .eq("domain", domain.toLowerCase())
    .maybeSingle();
  if (error) return databaseFailed(error).refused;
  if (!data) return "sso domain";
  const { name, text } = ssoRecord(data.domain, data.token);
  const found = await dnsRecords(context.configuration.DNS_API_URL, name, "TXT");
  if (!found) return "unavailable";
  return found.includes(text) ? undefined : "sso record";
}
