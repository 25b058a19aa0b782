import * as z from "zod/mini";
import { clearSiteData } from "~/http/answers";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies.server";
import { subjectOf } from "./sent-session.server";

/** An encrypted cookie with the id of the account that was last signed in here. It does not prove who visits. */
function lastAccountCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "last-account", z.object({ person: z.string() }));
}

/**
 * Adds headers to an answer that opens a session with this access token: the browser remembers whose session it
 * is. If somebody else was signed in here before and did not sign out, the browser also deletes what that
 * person's pages have stored in it.
 */
export async function noteAccount(
  context: Pick<AppContext, "configuration">,
  request: Request,
  accessToken: string,
): Promise<[name: string, value: string][]> {
  const person = subjectOf(accessToken);
  const cookie = lastAccountCookie(context);
  const last = await cookie.read(request);
  if (!person || last?.person === person) return [];
  const noted: [string, string] = ["set-cookie", await cookie.keep({ person })];
  return last ? [noted, clearSiteData] : [noted];
}
