import * as z from "zod/mini";
import { clearSiteData } from "~/http/answers";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies.server";
import type { SessionClaims } from "./live-session.server";
import { moveTrial } from "./move-trial.server";
import { ownerOfSentSession } from "./session-cookies.server";

const lastAccount = z.object({ person: z.string(), successor: z.optional(z.string()) });
type LastAccount = z.output<typeof lastAccount>;

/**
 * An encrypted cookie with the id of the account that was last signed in here. It does not prove who visits. `successor`:
 * the account whose sign-in began in this one's session, where that may be a trial that still has to move.
 */
function lastAccountCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie(context, "last-account", lastAccount);
}

/**
 * The headers for an answer that opens a session with these claims: the browser remembers whose session it is. If
 * somebody else was signed in here before and did not sign out, the browser also deletes what that person's pages have
 * stored in it. What was described in a trial moves to the account if the sign-in began in that trial's session: whoever
 * comes later to the same browser is somebody else.
 */
export async function noteAccount(
  context: AppContext,
  request: Request,
  session: SessionClaims,
): Promise<[name: string, value: string][]> {
  const { sub: person } = session;
  const cookie = lastAccountCookie(context);
  const last = await cookie.read(request);
  if (last?.person === person) return [];
  const noteAs = async (account: LastAccount): Promise<[string, string]> => [
    "set-cookie",
    await cookie.keep(account),
  ];
  const isSuccessor =
    last !== undefined &&
    (last.successor === person || (await ownerOfSentSession(request)) === last.person);
  const trial = isSuccessor ? await moveTrial(context, last.person, session) : "none";
  // The cookie still names the trial, so that it is moved with the next tokens of this account.
  if (isSuccessor && (trial === "later" || trial === "unknown")) {
    const pending = await noteAs({ person: last.person, successor: person });
    return trial === "later" ? [pending] : [pending, clearSiteData];
  }
  const noted = await noteAs({ person });
  // Somebody who signs up from a trial is the same person.
  return last && trial === "none" ? [noted, clearSiteData] : [noted];
}
