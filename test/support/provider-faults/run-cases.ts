import { claimsIn } from "../auth/access-token.ts";
import {
  type FaultName,
  faults,
  type ProxyHandler,
  type ReceivedRequest,
} from "../faults/fault-proxy.ts";
import type { SiteWithFaults } from "../faults/site-with-faults.ts";
import { inParallel } from "../site/in-parallel.ts";
import { answersGet, type SiteRoute, siteRoutes, takesForms } from "../site/site-routes.ts";
import { accountCases, endingCases } from "./account-cases.ts";
import { formCases } from "./form-cases.ts";
import { pageCases } from "./page-cases.ts";
import type { Answered, Provider, RouteCase, Users } from "./route-case.ts";
import { deletion, disconnect, toolCases } from "./tool-cases.ts";
import { workspaceCases } from "./workspace-cases.ts";

const ordinaryCases: readonly RouteCase[] = [
  ...pageCases,
  ...formCases,
  ...accountCases,
  ...toolCases,
  ...workspaceCases,
];
/** What ends something that the others need. */
const ends: readonly RouteCase[] = [disconnect, deletion, ...endingCases];

/** Everything that somebody can do, in an order in which all of it can be done once. */
export const routeCases: readonly RouteCase[] = [...ordinaryCases, ...ends];

const hasCase = (method: RouteCase["method"], { file }: SiteRoute) =>
  routeCases.some((step) => step.method === method && `routes/${step.route}` === file);

/** Routes whose GET is the same for everybody: whatever nobody has described otherwise. */
export const forEverybody = siteRoutes().filter(
  (route) => answersGet(route) && !hasCase("GET", route),
);

/** Routes with a form of which nobody has described what it answers. */
export const formsWithoutCase = siteRoutes().filter(
  (route) => takesForms(route) && !hasCase("POST", route),
);

export const providers: readonly Provider[] = ["auth", "database", "stripe", "google", "mail"];

/** Two timeouts of the Worker's, one after the other, and as much again for a busy machine. */
const maxAnswerMs = 30_000;

export const nameOf = ({ method, route, what }: RouteCase) =>
  [method, route, what].join(" ").trim();

/**
 * Which part of Supabase a request is for. Whether a session is there is asked of the database, and
 * remembered for a while; who gets no answer reads what they read without the auth server. So it is with whose live
 * pages a sign-out closes, after its answer.
 */
export const partOf = ({ path }: ReceivedRequest): Provider =>
  path.startsWith("/auth/") ||
  /\/rpc\/check_session|\/members\?select=workspace_id&user_id/.test(path)
    ? "auth"
    : "database";

/** From now on everybody has this trouble at one provider. */
function troubleForAll(site: SiteWithFaults, provider: Provider, handler: ProxyHandler): void {
  const { supabaseProxy, stripeProxy, googleProxy, mailProxy } = site;
  const ways = { stripe: stripeProxy, google: googleProxy, mail: mailProxy };
  if (provider !== "auth" && provider !== "database") ways[provider].behave(handler);
  else {
    supabaseProxy.behave((request, forward) =>
      partOf(request) === provider ? handler(request, forward) : forward(),
    );
  }
}

/** Everything in a request to a provider that may name somebody. */
function namesIn({ path, body, headers }: ReceivedRequest): string {
  const token = headers.authorization?.replace("Bearer ", "") ?? "";
  const subject = token.split(".").length === 3 ? claimsIn(token).sub : token;
  return [path, body, subject, headers["idempotency-key"]].join(" ").replaceAll("%40", "@");
}

/** Whether a fault of theirs would be met by one of these requests. */
export const isNamed = (
  requests: readonly ReceivedRequest[],
  { owner, newcomer }: Users,
): boolean =>
  requests.some((request) => {
    const names = namesIn(request);
    return [...owner.marks, ...newcomer.marks].some((mark) => names.includes(mark));
  });

/** What somebody meets at one provider; with the others they have no trouble. */
export type FaultFor = { who: Users; provider: Provider; handler: ProxyHandler };

/** From now on each of these has a trouble of their own, all at the same time. */
export function injectFaults(site: SiteWithFaults, injected: readonly FaultFor[]): void {
  const { supabaseProxy, stripeProxy, googleProxy, mailProxy } = site;
  const handlerAt =
    (providerOf: (request: ReceivedRequest) => Provider): ProxyHandler =>
    (request, forward) => {
      const names = namesIn(request);
      const found = injected.find(({ who: { owner, newcomer } }) =>
        [...owner.marks, ...newcomer.marks].some((mark) => names.includes(mark)),
      );
      const meets = found?.provider === providerOf(request);
      return found && meets ? found.handler(request, forward) : forward();
    };
  supabaseProxy.behave(handlerAt(partOf));
  stripeProxy.behave(handlerAt(() => "stripe"));
  googleProxy.behave(handlerAt(() => "google"));
  mailProxy.behave(handlerAt(() => "mail"));
}

/** So many at a time: more would only wait for each other. */
export const atATime = 16;

/**
 * The users, each pair with a fault of its own, meet it at this provider in all that asks it.
 * Answers what was not as described.
 */
export async function runCases(
  site: SiteWithFaults,
  provider: Provider,
  injected: readonly (readonly [Users, FaultName])[],
): Promise<string[]> {
  const meet = (step: RouteCase, users: Users, fault: FaultName) =>
    problemsOf(step.send(users), {
      expected: answeredIn(step, provider, fault),
      occasion: `${provider} ${fault}: ${nameOf(step)}`,
    });
  const problems: string[][] = [];
  injectFaults(
    site,
    injected.map(([who, fault]) => ({ who, provider, handler: faults[fault] })),
  );
  for (const part of [ordinaryCases, ends]) {
    const named = part.filter((step) => step.fails[provider] && !step.nameless);
    const all = named.flatMap((step) => injected.map(([who, fault]) => ({ step, who, fault })));
    problems.push(
      ...(await inParallel(all, atATime, ({ step, who, fault }) => meet(step, who, fault))),
    );
  }
  const nameless = ordinaryCases.filter((step) => step.fails[provider] && step.nameless);
  for (const [who, fault] of injected) {
    troubleForAll(site, provider, faults[fault]);
    problems.push(...(await inParallel(nameless, atATime, (step) => meet(step, who, fault))));
  }
  site.recover();
  return problems.flat();
}

/** What a step is to answer when a provider fails so. */
export function answeredIn(step: RouteCase, provider: Provider, fault: FaultName): Answered {
  const answered = step.unless?.[provider]?.[fault] ?? step.fails[provider] ?? "as usual";
  return answered === "as usual" ? [step.usual, ""] : answered;
}

const internals =
  /internal secret detail|ECONN|fetch failed|Bad Gateway|127\.0\.0\.1:\d+\/(v1|auth|rest)|\bat \w+ \(|Unexpected (token|end)|in JSON/;

/** What is wrong with an answer: its status, its words, an internal word, or how long it took. */
export async function problemsOf(
  answer: Promise<Response>,
  request: { expected: Answered; occasion: string },
): Promise<string[]> {
  const { expected, occasion } = request;
  const [status, words] = expected;
  const began = Date.now();
  const response = await answer;
  const text = plain(await response.text());
  const tookMs = Date.now() - began;
  const leadsTo = response.headers.get("location") ?? "";
  const internal = internals.exec(text)?.[0];
  return [
    ...(response.status === status ? [] : [`is ${response.status}, not ${status}`]),
    ...(`${leadsTo} ${text}`.includes(words) ? [] : [`does not say "${words}"`]),
    ...(internal ? [`says "${internal}"`] : []),
    ...(tookMs <= maxAnswerMs ? [] : [`took ${tookMs} ms`]),
  ].map((problem) => `${occasion} ${problem}`);
}

/** A page as somebody reads it. */
function plain(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("<!-- -->", "");
}
