import type { User } from "@supabase/supabase-js";
import { signInFailures } from "~/content/sign-in-labels";
import type { Session } from "~/features/auth/session/session.server";
import { ssoPrefix, ssoProviderOf } from "~/features/auth/sso-identity";
import { membersAllowed } from "~/features/workspaces/invitation.server";
import { mailNewAdmin, mailSsoFull } from "~/features/workspaces/owner-mails.server";
import type { AppContext } from "~/http/app-context";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { rememberDestination } from "./provider-sign-in.server";

type Start =
  | { ok: true; url: string; cookie: string }
  | { ok: false; status: 400 | 404 | 429 | 503; message: string };

/**
 * Begins a sign-in at the identity provider of whoever verified the domain of an address. Answers where the browser goes
 * on: a page leads there and no redirect, because the content policy lets forms end at places that are known before.
 */
export async function startSingleSignOn(
  request: Request,
  context: AppContext,
  { supabase }: Session,
  { email, next }: { email: string; next: string },
): Promise<Start> {
  const { configuration } = context;
  if (!configuration.SINGLE_SIGN_ON) {
    return { ok: false, status: 400, message: signInFailures.notOffered };
  }
  if (!(await withinLimit(context, "SIGN_IN_LIMIT", request))) {
    return { ok: false, status: 429, message: tooOften };
  }
  const unavailable = { ok: false, status: 503, message: signInFailures.unavailable } as const;
  const found = await serviceClient(configuration).rpc("sso_of_address", { address: email });
  if (found.error) {
    log.error("A provider of single sign-on was not looked up", describeError(found.error));
    return unavailable;
  }
  if (!found.data) return { ok: false, status: 404, message: signInFailures.ssoUnknown };
  const { data, error } = await supabase.auth.signInWithSSO({
    providerId: found.data.slice(ssoPrefix.length),
    options: { redirectTo: `${configuration.SITE_URL}/auth/callback`, skipBrowserRedirect: true },
  });
  const url = URL.parse(data?.url ?? "");
  const isWeb = url?.protocol === "https:" || configuration.SITE_URL.startsWith("http://");
  if (error || !url || !isWeb) {
    log.error("Single sign-on could not start", describeError(error ?? "No https address"));
    return unavailable;
  }
  return { ok: true, url: url.href, cookie: await rememberDestination(configuration, next) };
}

/**
 * Makes somebody who came by single sign-on a member of the workspace whose provider it is. "foreign" where that provider
 * may not speak for their address, or nobody can say: they must not stay signed in. The database refuses the identity of
 * such a person, too. "full" where the workspace has room for no further member, "removed" where somebody removed them, and
 * "unavailable" where the database does not answer: they are signed in, and in a workspace of their own alone.
 */
export async function joinBySingleSignOn(
  context: AppContext,
  person: User,
): Promise<"foreign" | "full" | "removed" | "unavailable" | undefined> {
  const { id, email = "" } = person;
  const provider = ssoProviderOf(person);
  if (!provider) return;
  const database = serviceClient(context.configuration, context.caller);
  const { data: workspace, error } = await database.rpc("sso_workspace", {
    provider,
    address: email,
  });
  if (error) log.error("A provider of single sign-on was not looked up", describeError(error));
  if (!workspace) return "foreign";
  const allowed = await membersAllowed(context, database, workspace);
  const joined = await database.rpc("join_by_sso", { person: id, allowed: allowed ?? 0 });
  if (joined.error) {
    log.error("Nobody could join by single sign-on", describeError(joined.error));
    return "unavailable";
  }
  log.info("Somebody came by single sign-on", { answer: joined.data });
  if (joined.data === "joined as admin") mailNewAdmin(context, { workspace, person: id });
  if (joined.data === "foreign" || joined.data === "removed") return joined.data;
  if (joined.data !== "full") return;
  // Nobody knows how many may join while the plan cannot be read.
  if (allowed === undefined) return "unavailable";
  mailSsoFull(context, { workspace, address: email });
  return "full";
}
