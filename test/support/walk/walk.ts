import { claimsIn } from "../auth/access-token.ts";
import {
  type Conduct,
  type FaultName,
  faults,
  type ReceivedRequest,
} from "../faults/go-between.ts";
import type { TroubledSite } from "../faults/troubled-site.ts";
import { inParallel } from "../site/in-parallel.ts";
import { farewells, forms } from "./walk-forms.ts";
import { pages } from "./walk-pages.ts";
import type { Answered, Provider, Step, Walkers } from "./walk-step.ts";
import { deletion, disconnect, tools } from "./walk-tools.ts";

const walk: readonly Step[] = [...pages, ...forms, ...tools];
/** What ends something that the others need. */
const ends: readonly Step[] = [disconnect, deletion, ...farewells];

/** Everything that somebody can do, in an order in which all of it can be done once. */
export const steps: readonly Step[] = [...walk, ...ends];

export const providers: readonly Provider[] = ["auth", "database", "stripe", "google", "mail"];

/** No answer may take longer, whatever is broken: twice what the Worker waits, for a busy machine. */
const patienceMs = 20_000;

export const nameOf = ({ method, route, what }: Step) => [method, route, what].join(" ").trim();

/**
 * Which part of Supabase a request is for. Whether a session is there is asked of the database, and
 * remembered for a while; who gets no answer reads what they read without the auth server.
 */
export const partOf = ({ path }: ReceivedRequest): Provider =>
  path.startsWith("/auth/") || path.includes("/rpc/check_session") ? "auth" : "database";

/** From now on everybody has this trouble at one provider. */
function troubleForAll(site: TroubledSite, provider: Provider, conduct: Conduct): void {
  const { supabaseWay, stripeWay, googleWay, mailWay } = site;
  const ways = { stripe: stripeWay, google: googleWay, mail: mailWay };
  if (provider !== "auth" && provider !== "database") ways[provider].behave(conduct);
  else {
    supabaseWay.behave((asked, forward) =>
      partOf(asked) === provider ? conduct(asked, forward) : forward(),
    );
  }
}

/** Everything in a request to a provider that may name somebody. */
function namesIn({ path, body, headers }: ReceivedRequest): string {
  const token = headers.authorization?.replace("Bearer ", "") ?? "";
  const subject = token.split(".").length === 3 ? claimsIn(token).sub : token;
  return [path, body, subject, headers["idempotency-key"]].join(" ").replaceAll("%40", "@");
}

/** What somebody meets at one provider; with the others they have no trouble. */
export type Fate = { who: Walkers; provider: Provider; conduct: Conduct };

/** From now on each of these has a trouble of their own, all at the same time. */
export function trouble(site: TroubledSite, fates: readonly Fate[]): void {
  const { supabaseWay, stripeWay, googleWay, mailWay } = site;
  const conductAt =
    (providerOf: (asked: ReceivedRequest) => Provider): Conduct =>
    (asked, forward) => {
      const names = namesIn(asked);
      const fate = fates.find(({ who: { owner, newcomer } }) =>
        [...owner.marks, ...newcomer.marks].some((mark) => names.includes(mark)),
      );
      const meets = fate?.provider === providerOf(asked);
      return fate && meets ? fate.conduct(asked, forward) : forward();
    };
  supabaseWay.behave(conductAt(partOf));
  stripeWay.behave(conductAt(() => "stripe"));
  googleWay.behave(conductAt(() => "google"));
  mailWay.behave(conductAt(() => "mail"));
}

/** So many at a time: more would only wait for each other. */
export const atATime = 16;

/**
 * The walkers, each pair with a fault of its own, meet it at this provider in all that asks it.
 * Answers what was not as described.
 */
export async function walkThrough(
  site: TroubledSite,
  provider: Provider,
  fates: readonly (readonly [Walkers, FaultName])[],
): Promise<string[]> {
  const meet = (step: Step, walkers: Walkers, fault: FaultName) =>
    problemsOf(step.send(walkers), {
      expected: answeredIn(step, provider, fault),
      occasion: `${provider} ${fault}: ${nameOf(step)}`,
    });
  const problems: string[][] = [];
  trouble(
    site,
    fates.map(([who, fault]) => ({ who, provider, conduct: faults[fault] })),
  );
  for (const part of [walk, ends]) {
    const asking = part.filter((step) => step.fails[provider] && !step.nameless);
    const all = asking.flatMap((step) => fates.map(([who, fault]) => ({ step, who, fault })));
    problems.push(
      ...(await inParallel(all, atATime, ({ step, who, fault }) => meet(step, who, fault))),
    );
  }
  const nameless = walk.filter((step) => step.fails[provider] && step.nameless);
  for (const [who, fault] of fates) {
    troubleForAll(site, provider, faults[fault]);
    problems.push(...(await inParallel(nameless, atATime, (step) => meet(step, who, fault))));
  }
  site.recover();
  return problems.flat();
}

/** What a step is to answer when a provider fails so. */
export function answeredIn(step: Step, provider: Provider, fault: FaultName): Answered {
  const answered = step.unless?.[provider]?.[fault] ?? step.fails[provider] ?? "as usual";
  return answered === "as usual" ? [step.usual, ""] : answered;
}

const internals =
  /internal secret detail|ECONN|fetch failed|Bad Gateway|127\.0\.0\.1:\d+\/(v1|auth|rest)|\bat \w+ \(|Unexpected (token|end)|in JSON/;

/** What is wrong with an answer: its status, its words, an internal word, or how long it took. */
export async function problemsOf(
  answer: Promise<Response>,
  asked: { expected: Answered; occasion: string; withinMs?: number },
): Promise<string[]> {
  const { expected, occasion, withinMs = patienceMs } = asked;
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
    ...(tookMs <= withinMs ? [] : [`took ${tookMs} ms`]),
  ].map((problem) => `${occasion} ${problem}`);
}

/** A page as somebody reads it. */
function plain(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("<!-- -->", "");
}
