import { redirect } from "react-router";
import * as z from "zod/mini";
import { accountFailures, unnamed } from "~/content/account";
import type { Failure } from "~/features/auth/auth-errors.server";
import { forgetSessionsOf } from "~/features/auth/session/live-session.server";
import { closePages, workspacesOf } from "~/features/workspaces/end-access.server";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { momentOf } from "~/ui/dates";
import { type ActionContext, accountPage } from "./account-request.server";

const maxShown = 50;

const rows = z.array(
  z.object({
    id: z.string(),
    user_agent: z.nullable(z.string()),
    address: z.nullable(z.string()),
    signed_in_at: z.string(),
    used_at: z.string(),
    second_factor: z.boolean(),
  }),
);

/** A session, as the list of its owner shows it. */
export type ListedSession = {
  id: string;
  device: string;
  address: string | undefined;
  signedIn: string;
  used: string;
  secondFactor: boolean;
  here: boolean;
};

/** A person's sessions, the present one first, then by last use; undefined when the database does not answer. */
export async function sessionsOf(
  context: AppContext,
  userId: string,
  hereId: string | undefined,
): Promise<{ listed: readonly ListedSession[]; more: boolean } | undefined> {
  const { data, error } = await serviceClient(context.configuration).rpc("sessions_of", {
    person: userId,
    most: maxShown + 1,
  });
  if (error) {
    log.error("A person's sessions were not read", describeError(error));
    return;
  }
  const listed = rows.parse(data).map((row) => ({
    id: row.id,
    device: deviceOf(row.user_agent, unnamed.device),
    address: row.address ?? undefined,
    signedIn: momentOf(row.signed_in_at),
    used: momentOf(row.used_at),
    secondFactor: row.second_factor,
    here: row.id === hereId,
  }));
  const current = listed.filter(({ here }) => here);
  const others = listed.filter(({ here }) => !here);
  return {
    listed: [...current, ...others].slice(0, maxShown),
    more: listed.length > maxShown,
  };
}

/** Ends another session of the person. A session of somebody else is treated like one that does not exist. */
export async function endSession(
  id: string,
  { context, principal }: ActionContext,
): Promise<Failure | Response> {
  const { data: ended, error } = await serviceClient(context.configuration).rpc("end_session", {
    person: principal.user.id,
    session: id,
  });
  if (error) {
    log.error("A session was not ended", describeError(error));
    return { state: "failed", status: 503, message: accountFailures.unavailable };
  }
  forgetSessionsOf(principal.user.id);
  closePages(context, workspacesOf(context, principal.user.id), { session: id });
  if (!ended) return { state: "failed", status: 400, message: accountFailures.noSession };
  return redirect(accountPage("sessions", "session-ended"), 303);
}

/** The first pattern that matches a `User-Agent` counts. Most browsers also name those that come later in this list. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPiOS|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows NT\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A device in words, such as "Firefox on Windows", from a `User-Agent` header. The header may hold any text, so
 * only names from these lists are used.
 */
export function deviceOf(userAgent: string | null, unknown: string): string {
  const sent = (userAgent ?? "").slice(0, 500);
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(sent))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? unknown);
}
