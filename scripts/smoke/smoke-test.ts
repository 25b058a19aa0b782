import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { expectHeader, expectStatus, Finding, type Site, siteAt } from "./answer.ts";
import { type Check, checks } from "./checks.ts";

const maxPauseMs = 2_000;

/** What a smoke test found: for each check its promise and, when it was broken, how. */
export type CheckResult = { promise: string; problem: string | undefined };

// A site from before there were two Workers says nothing of the second.
const health = z.object({
  status: z.literal("ok"),
  version: z.string(),
  servers: z.string().nullish(),
});

/** The versions of our Workers that are to answer: of the site, and of the servers' one, which it is bound to. */
export type Versions = { site?: string | undefined; servers?: string | undefined };

/**
 * Checks a site from outside. With `versions` it first waits until those answer. A check that fails is tried
 * again for `retryForMs`, because a deploy takes a while to reach every place, and one lost packet must not roll it
 * back.
 */
export async function smokeTest(
  origin: string,
  { versions = {}, retryForMs }: { versions?: Versions; retryForMs: number },
): Promise<CheckResult[]> {
  const site = siteAt(origin);
  const arrived: Check = {
    promise: versions.site
      ? `version ${versions.site} answers`
      : "the Worker runs and has its variables",
    see: (answer) => seeHealth(answer, versions),
  };
  const first = await tryFor(retryForMs, arrived, site);
  if (first.problem) return [first];
  return [first, ...(await Promise.all(checks.map((check) => tryFor(retryForMs, check, site))))];
}

async function seeHealth(site: Site, versions: Versions): Promise<void> {
  const answer = await site.ask("/healthz");
  expectStatus(answer, 200);
  expectHeader(answer, "cache-control", /no-store/);
  const parsed = health.safeParse(readJson(answer.body));
  if (!parsed.success) throw new Finding("/healthz does not say that all is well");
  const { version, servers } = parsed.data;
  if (versions.site && version !== versions.site) {
    throw new Finding(`/healthz is answered by version ${version || "(none)"}`);
  }
  if (servers === null) throw new Finding("the servers Worker does not answer the site");
  if (versions.servers && servers !== undefined && servers !== versions.servers) {
    throw new Finding(`/healthz names version ${servers || "(none)"} of the servers Worker`);
  }
}

async function tryFor(retryForMs: number, check: Check, site: Site): Promise<CheckResult> {
  const until = performance.now() + retryForMs;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    const problem = await problemWith(check, site);
    if (!problem || performance.now() + pauseMs > until) return { promise: check.promise, problem };
    await pause(pauseMs);
  }
}

async function problemWith(check: Check, site: Site): Promise<string | undefined> {
  try {
    await check.see(site);
  } catch (error) {
    if (error instanceof Finding) return error.message;
    return `no answer: ${reasonOf(error)}`;
  }
}

/** `fetch` puts the reason for a failure into `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
