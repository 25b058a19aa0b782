import type { FaultName } from "../faults/go-between.ts";
import { Visitor } from "../site/visitor.ts";
import type { Newcomer, Owner } from "./walkers.ts";

/** Who the Worker asks. `auth` and `database` are both Supabase's, and fail apart from each other. */
export type Provider = "auth" | "database" | "stripe" | "google" | "mail";

/** What somebody gets: a status, and words of the answer or of the address that it leads to. */
export type Answered = readonly [status: number, words: string];

/** Two people who walk together: one has everything, the other an account and nothing else. */
export type Walkers = { owner: Owner; newcomer: Newcomer };

/** One thing that somebody can do at one address. */
export type Step = {
  /** The module, below app/routes/. */
  route: string;
  method: "GET" | "POST";
  /** Which of the route's forms. */
  what?: string | undefined;
  send(walkers: Walkers): Promise<Response>;
  /** The status while every provider is well. */
  usual: number;
  /** Who is asked, and what is said when they fail. */
  fails: Partial<Record<Provider, Answered | "as usual">>;
  /** What is said of one of the faults, where it differs. */
  unless?: Partial<Record<Provider, Partial<Record<FaultName, Answered | "as usual">>>>;
  /** Nothing in what the provider is asked tells who asks. */
  nameless?: true;
};

type Way = {
  as?: "owner" | "newcomer" | "guest";
  usual?: number;
  fails?: Step["fails"];
  what?: string;
  unless?: Step["unless"];
  nameless?: true;
  init?: RequestInit | ((walkers: Walkers) => RequestInit);
  /** A cookie that the browser has got before. */
  cookie?: (walkers: Walkers) => Promise<[name: string, value: string]>;
};
type Path = string | ((walkers: Walkers) => string);
export type Fields = Record<string, string> | ((walkers: Walkers) => Record<string, string>);

const given = <Value>(value: Value | ((walkers: Walkers) => Value), walkers: Walkers): Value =>
  typeof value === "function" ? (value as (walkers: Walkers) => Value)(walkers) : value;

/** Every request comes from a network address of its own: rate limits are another test's matter. */
function browserOf(as: Way["as"], { owner, newcomer }: Walkers): Visitor {
  if (as === "guest") return new Visitor(owner.browser.siteUrl);
  return (as === "newcomer" ? newcomer : owner).browser.twin();
}

/** Opens an address; the owner does, unless the way says who. */
export function open(route: string, path: Path, way: Way = {}): Step {
  const { as, usual = 200, fails = {}, init = {}, ...rest } = way;
  return {
    route,
    method: "GET",
    usual,
    fails,
    send: (walkers) => browserOf(as, walkers).request(given(path, walkers), given(init, walkers)),
    ...rest,
  };
}

/** Posts a form. */
export function post(route: string, path: Path, fields: Fields, way: Way = {}): Step {
  const { as, usual = 303, fails = {}, init = {}, cookie, ...rest } = way;
  return {
    route,
    method: "POST",
    usual,
    fails,
    what: typeof fields === "object" ? fields.intent : undefined,
    async send(walkers) {
      const browser = browserOf(as, walkers);
      if (cookie) browser.setCookie(...(await cookie(walkers)));
      return browser.request(given(path, walkers), {
        method: "POST",
        body: new URLSearchParams(given(fields, walkers)),
        ...given(init, walkers),
      });
    },
    ...rest,
  };
}
