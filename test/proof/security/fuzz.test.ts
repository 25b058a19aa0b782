import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FuzzUser } from "../../support/attacks/fuzz-user.ts";
import type { HostileRequest } from "../../support/attacks/hostile-requests.ts";
import { hostileRequests } from "../../support/attacks/hostile-requests.ts";
import type { RawResponse } from "../../support/attacks/raw-http.ts";
import { send } from "../../support/attacks/raw-http.ts";
import {
  goodDeletedId,
  goodId,
  goodLink,
  goodSubscription,
  routeInputs,
} from "../../support/attacks/route-inputs.ts";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { seedsOf } from "../../support/run/seeds.ts";
import { fakes, resetFakes, signWithKeyPair } from "../../support/site/control-fakes.ts";
import { type SiteRoute, siteRoutes } from "../../support/site/site-routes.ts";

const atOnce = 16;
const requestCount = 20_000;
const parts = 3;

let site: Awaited<ReturnType<typeof startSiteWithoutRateLimits>>;
/** Has everything. */
const owner = new FuzzUser("customer.one@example.com");
/** What is done to an account, and to its sessions, is done to who only passes. */
const passing = new FuzzUser("passing@example.com");
const leaving = new FuzzUser("leaving@example.com");
let token: string;
let mayLeadTo: string[];

beforeEach(async () => {
  await resetFakes();
  await signWithKeyPair();
  site = await startSiteWithoutRateLimits();
  await Promise.all([owner.arriveWithAll(), passing.arriveByMail(), leaving.arriveByMail()]);
  token = await owner.token();
  await owner.connectServer(site.url);
  const { stripe, google, supabase } = fakes();
  mayLeadTo = [site.url, stripe.url, google.url, supabase.url];
});

afterEach(() => site[Symbol.asyncDispose]());

function personAt({ file }: SiteRoute): FuzzUser {
  if (file === "routes/auth/signout.ts") return leaving;
  return /^routes\/(auth\/|dashboard\/account)/.test(file) ? passing : owner;
}

/** The id of what a route shows that is the person's own. */
function shownId(file: string, deployment: string): string {
  if (/^routes\/servers\/(server\.tsx|session)/.test(file)) return owner.server;
  return file === "routes/servers/incident.tsx" ? owner.incident : deployment;
}

/** Sends one request in the name of its person, and brings back what it took from them. */
async function answerTo(request: HostileRequest, route: SiteRoute): Promise<RawResponse> {
  const { file } = route;
  const person = personAt(route);
  const deletes = file.endsWith("/delete.tsx");
  const deployment = person.deployment(deletes ? "spare" : "kept");
  const deleted = person.deletedDeployment;
  const good = {
    [goodId]: shownId(file, deployment),
    [goodDeletedId]: deleted,
    [goodSubscription]: owner.subscription,
    [goodLink]: owner.link,
  };
  const filled = (text: string) =>
    Object.entries(good).reduce(
      (rest, [name, id]) => rest.replaceAll(name, id).replaceAll(encodeURIComponent(name), id),
      text,
    );
  const headers: Record<string, string> = {
    origin: site.url,
    cookie: person.cookiesFor(request),
    ...(request.token && file.startsWith("routes/api/")
      ? { authorization: `Bearer ${token}` }
      : {}),
    ...request.headers,
  };
  const body = request.body === undefined ? undefined : filled(request.body);
  if (body !== undefined) headers["content-length"] = String(Buffer.byteLength(body));
  const { method } = request;
  const answer = await send(site.url, { method, target: filled(request.target), headers, body });
  if (request.session === "good" && person !== owner && endsSession(answer)) await person.renew();
  // A page with script learns of a redirect from a 202.
  const isDone = [202, 303].includes(answer.status) && !isTurnedAway(answer);
  if (deletes && isDone) await person.replaceSpare();
  if (body?.includes(deleted) && isDone) await person.replaceDeleted();
  return answer;
}

function endsSession({ headers }: RawResponse): boolean {
  const lines = [headers["set-cookie"] ?? []].flat();
  return lines.some((line) => /^sb-[^=]+-auth-token[^=]*=;/.test(line));
}

/** Whether the answer is the door's: no session (forms are led away with 303, data requests with 202), no such place, too often. */
function isTurnedAway({ status, headers, body }: RawResponse): boolean {
  if ([302, 303, 202].includes(status)) return /\/signin\b/.test(`${headers.location} ${body}`);
  return [401, 403, 404, 405, 429].includes(status);
}

type Share = { route: SiteRoute; runs: number; seed: number };

/** Each route's requests in parts, so that none is left alone at the end. */
function shares(firstSeed: number): Share[] {
  const routes = siteRoutes();
  const runs = Math.ceil(requestCount / routes.length / parts);
  return Array.from({ length: parts }, (_, part) => part).flatMap((part) =>
    routes.map((route, place) => ({
      route,
      runs,
      seed: firstSeed + place * parts + part,
    })),
  );
}

test.each(seedsOf("test/proof/security/fuzz.test.ts"))(
  "20,000 hostile requests to every route of the site do no harm, and none waits for its answer (seed %i)",
  async (firstSeed) => {
    let sent = 0;
    const statuses = new Map<number, number>();
    const formsBeyondTheDoor = new Map<string, number>();
    const failures: string[] = [];
    const waiting = shares(firstSeed);
    async function work(): Promise<void> {
      for (let share = waiting.shift(); share; share = waiting.shift()) {
        const { route, runs, seed } = share;
        const isHarmless = fc.asyncProperty(hostileRequests(route), async (request) => {
          const answer = await answerTo(request, route);
          sent += 1;
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const { session, method } = request;
          if (session === "good" && method === "POST" && !isTurnedAway(answer)) {
            formsBeyondTheDoor.set(route.file, (formsBeyondTheDoor.get(route.file) ?? 0) + 1);
          }
          const harm = responseProblems(answer, request, mayLeadTo);
          if (harm.length > 0) throw new Error(harm.join("; "));
        });
        try {
          await fc.assert(isHarmless, { numRuns: runs, seed });
        } catch (error) {
          failures.push(
            `${route.path}: ${error instanceof Error ? `${error.cause} ${error.message}` : error}`,
          );
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work));
    expect(failures).toEqual([]);
    // The owner's session was a good one to the end.
    const cookie = owner.cookiesFor({ session: "good", bend: 0, cookies: [] });
    const last = await send(site.url, { method: "GET", target: "/dashboard", headers: { cookie } });
    expect(last.status).toBe(200);
    expect(sent).toBeGreaterThanOrEqual(requestCount);
    // All that the action of the saved configuration does is to say that nothing is posted there.
    const formRoutes = siteRoutes().filter(
      ({ file }) => routeInputs[file]?.fields && file !== "routes/api/model-config.ts",
    );
    const few = formRoutes.map(({ file }) => [file, formsBeyondTheDoor.get(file) ?? 0] as const);
    // A closed door leaves three at most, and an unknown id, which is a 404 too, ten at least.
    expect(few.filter(([, count]) => count < 4)).toEqual([]);
    // Not all were turned away at the door.
    for (const status of [200, 302, 303, 400, 401, 404]) {
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(100);
    }
  },
  600_000,
);

/** Words that only our own code or a provider's would say. */
const internals =
  /\bat [\w.<>$ ]+ \(?[\w:/.-]+:\d+:\d+|\b(?:TypeError|ReferenceError|RangeError|ZodError|PGRST\d+|StripeInvalidRequestError)\b/;

/**
 * What is wrong with an answer to a hostile request, in words; nothing when it did no harm: no failure
 * of ours, nothing of the request come back as markup, no header of its making, no way to another site,
 * nothing personal for a cache to keep, nothing of our insides.
 */
function responseProblems(
  { status, headers, body }: RawResponse,
  { method, session }: HostileRequest,
  mayLeadTo: readonly string[],
): string[] {
  const harm: string[] = [];
  if (status >= 500) harm.push(`it answers ${status}`);
  if (status < 200) harm.push(`it answers ${status}`);
  const type = String(headers["content-type"] ?? "");
  if (type.startsWith("text/html")) harm.push(...reflected(body));
  else if (body && headers["x-content-type-options"] !== "nosniff") {
    harm.push(`${type || "a body without a type"} may be sniffed`);
  }
  for (const name of Object.keys(headers)) {
    if (name.includes("rf7")) harm.push(`a header of the visitor's making: ${name}`);
  }
  const location = headers.location;
  if (typeof location === "string" && !staysWithin(location, mayLeadTo)) {
    harm.push(`it leads to ${location}`);
  }
  const cache = String(headers["cache-control"] ?? "");
  if ((headers["set-cookie"] || method === "POST") && /public|s-maxage/.test(cache)) {
    harm.push(`a cache may keep it: ${cache}`);
  }
  if (session === "good" && headers["cache-status"] === undefined && /s-maxage/.test(cache)) {
    harm.push(`a cache may keep what a session saw: ${cache}`);
  }
  if (internals.test(withoutScripts(body))) {
    harm.push(`it shows our insides: ${internals.exec(body)?.[0]}`);
  }
  return harm;
}

/** A redirect's target as a browser resolves it. */
function staysWithin(location: string, mayLeadTo: readonly string[]): boolean {
  const here = mayLeadTo[0] ?? "";
  const url = URL.parse(location, `${here}/some/page`);
  return url !== null && mayLeadTo.includes(url.origin);
}

function reflected(page: string): string[] {
  const harm: string[] = [];
  if (/<\/?rf7/i.test(page)) harm.push("markup came back as it was sent");
  const outside = withoutScripts(page);
  if (/["']rf7q/.test(outside)) harm.push("an attribute could be left");
  if (/(?:href|src|action)="\s*javascript:/i.test(outside)) harm.push("an address runs script");
  return harm;
}

function withoutScripts(page: string): string {
  return page.replace(/<script[\s\S]*?<\/script>/g, "");
}
