import type { AppContext } from "~/http/app-context";
import { sharedAnswers } from "~/http/cache/shared-answers.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { sessionMemory } from "./session-memory.server";

/** The claims of a signed access token that say which session it is of. */
export type SessionClaims = { sub: string; iat: number; session_id?: string; aal?: string };

/** What is known of a session besides its token; undefined when the database did not answer. */
export type Liveness = "ended" | "second-factor-due" | "alive" | undefined;

type Answer = "ended" | "alive" | "two-factor" | undefined;

const memory = sessionMemory();
/** For requests of one session at the same moment; the wait is longer than the database may take. */
const share = sharedAnswers<Answer>({ waitMs: 9_000 });
/** How often this isolate was told that sessions end: an answer to a question from before may be old. */
let endings = 0;

/**
 * Asks the database whether a session is still there, since a signed token outlives it by up to an hour.
 * A good answer is remembered for some seconds, so that a page and what it loads ask once.
 */
export async function livenessOf(claims: SessionClaims, context: AppContext): Promise<Liveness> {
  const { sub, iat, session_id, aal = "aal1" } = claims;
  if (!session_id) return "ended";
  // Each proof and each refresh makes a new token, and is asked about anew.
  const key = [sub, session_id, aal, iat].join();
  if (memory.recalls(key)) return "alive";
  const endingsBefore = endings;
  const answer = await share(
    `${key} after ${endings}`,
    () => ask({ session: session_id, person: sub }, context),
    (work) => context.waitUntil(work),
  );
  if (answer === undefined || answer === "ended") return answer;
  // Not remembered: a recovery code may take the factor away at any moment.
  if (answer === "two-factor" && aal !== "aal2") return "second-factor-due";
  if (endings === endingsBefore) memory.remember(key);
  return "alive";
}

/**
 * For when sessions of a person end: whichever they were, this isolate asks the database about each anew.
 * Others remember for their seconds. Answers that are under way are not remembered, whoever they are about.
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
