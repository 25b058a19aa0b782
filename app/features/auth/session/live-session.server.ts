import type { AppContext } from "~/http/app-context";
import { sharedAnswers } from "~/http/shared-answers.server";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";

/** The claims of a verified access token that identify its session. */
export type SessionClaims = { sub: string; iat: number; session_id?: string; aal?: string };

/** The state of a session in the database; undefined when the database did not answer. */
export type Liveness = "ended" | "second-factor-due" | "alive" | undefined;

type Answer = "ended" | "alive" | "two-factor" | undefined;

const memory = sessionMemory();
/** Requests of one session at the same moment share one question. The wait is longer than our database timeout. */
const share = sharedAnswers<Answer>({ waitMs: 9_000 });
/** How often `forgetSessionsOf` was called. An answer to a question that began before a call is not remembered. */
let endings = 0;

/**
 * Asks the database whether a session still exists, because a signed token is valid for up to an hour after its
 * session has ended. "alive" is remembered for some seconds, so that a page and its data ask once.
 */
export async function livenessOf(claims: SessionClaims, context: AppContext): Promise<Liveness> {
  const { sub, iat, session_id, aal = "aal1" } = claims;
  if (!session_id) return "ended";
  // A sign-in, a second factor or a refresh makes a new token, which has another key.
  const key = [sub, session_id, aal, iat].join();
  if (memory.recalls(key)) return "alive";
  const endingsBefore = endings;
  const answer = await share(
    `${key} after ${endings}`,
    () => ask({ session: session_id, person: sub }, context),
    (work) => context.waitUntil(work),
  );
  if (answer === undefined || answer === "ended") return answer;
  // This is not remembered, because a recovery code may remove the second factor at any moment.
  if (answer === "two-factor" && aal !== "aal2") return "second-factor-due";
  if (endings === endingsBefore) memory.remember(key);
  return "alive";
}

/**
 * Call it when sessions of a person end. This isolate then asks the database about every session of the person
 * again; other isolates notice after their seconds. Answers that are under way, of anybody, are not remembered.
 */
export function forgetSessionsOf(userId: string): void {
  endings++;
  memory.forget(`${userId},`);
}

async function ask(
  session: { session: string; person: string },
  { configuration }: AppContext,
): Promise<Answer> {
  const { data, error } = await serviceClient(configuration).rpc("check_session", session, {
    get: true,
  });
  if (!error) return data === "alive" || data === "two-factor" ? data : "ended";
  log.error("A session could not be checked", describeError(error));
}

/** How long an answer is remembered. A session that was ended elsewhere can read for less than a minute longer. */
const rememberedMs = 45_000;
const maxRemembered = 10_000;

/** Remembers in this isolate which sessions or tokens exist. That one does not exist is never remembered. */
export function sessionMemory(now: () => number = Date.now) {
  const expiries = new Map<string, number>();
  const recalls = (key: string): boolean => (expiries.get(key) ?? 0) > now();
  return {
    recalls,
    /** Remembers a session from now on. A session that is remembered already keeps its earlier time. */
    remember(key: string): void {
      if (recalls(key)) return;
      expiries.delete(key);
      // A Map keeps the order of insertion, so the oldest entries come first.
      for (const oldest of expiries.keys()) {
        if (expiries.size < maxRemembered) break;
        expiries.delete(oldest);
      }
      expiries.set(key, now() + rememberedMs);
    },
    /** Forgets every key that begins with this text. */
    forget(beginning: string): void {
      for (const key of expiries.keys()) if (key.startsWith(beginning)) expiries.delete(key);
    },
  };
}

/** The minute of each hour at which this runs. It is not the full hour, when many other jobs begin. */
const minuteOfTheHour = 17;

/**
 * Once an hour, ends sessions at the auth server that are older or longer unused than our limits, even if their
 * tokens are never sent to this site. Never throws. `now` is in milliseconds.
 */
export async function endOldSessions(configuration: Configuration, now: number): Promise<void> {
  if (new Date(now).getUTCMinutes() !== minuteOfTheHour) return;
  const { data, error } = await serviceClient(configuration).rpc("end_old_sessions");
  if (error) log.error("Old sessions were not ended", describeError(error));
  else log.info("Old sessions were ended", { count: data });
}
