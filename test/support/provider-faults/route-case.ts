import type { FaultName } from "../faults/fault-proxy.ts";
import { Visitor } from "../site/visitor.ts";
import type { Newcomer, Owner } from "./users.ts";

/** Who the Worker asks. `auth` and `database` are both Supabase's, and fail apart from each other. */
export type Provider = "auth" | "database" | "stripe" | "google" | "mail";

/** What somebody gets: a status, and words of the answer or of the address that it leads to. */
export type Answered = readonly [status: number, words: string];

/** An id of nothing, in the form that ids have: for another form nobody is asked. */
export const none = "00000000-0000-4000-8000-000000000000";

/** Two people: one has everything, the other an account and nothing else. */
export type Users = { owner: Owner; newcomer: Newcomer };

/** One thing that somebody can do at one address. */
export type RouteCase = {
  /** The module, below app/routes/. */
  route: string;
  method: "GET" | "POST";
  /** Which of the route's forms. */
  what?: string | undefined;
  send(users: Users): Promise<Response>;
  /** The status while every provider is well. */
  usual: number;
  /** Who is asked, and what is said when they fail. */
  fails: Partial<Record<Provider, Answered | "as usual">>;
  /** What is said of one of the faults, where it differs. */
  unless?: Partial<Record<Provider, Partial<Record<FaultName, Answered | "as usual">>>>;
  /** Nothing in the request to the provider says who asks. */
  nameless?: true;
};

type CaseOptions = {
  as?: "owner" | "newcomer" | "guest";
  usual?: number;
  fails?: RouteCase["fails"];
  what?: string;
  unless?: RouteCase["unless"];
  nameless?: true;
  init?: RequestInit | ((users: Users) => RequestInit);
  /** A cookie that the browser has got before. */
  cookie?: (users: Users) => Promise<[name: string, value: string]>;
};
type Path = string | ((users: Users) => string);
export type Fields = Record<string, string> | ((users: Users) => Record<string, string>);

const given = <Value>(value: Value | ((users: Users) => Value), users: Users): Value =>
  typeof value === "function" ? (value as (users: Users) => Value)(users) : value;

/** Every request comes from a network address of its own: rate limits are another test's matter. */
function browserOf(as: CaseOptions["as"], { owner, newcomer }: Users): Visitor {
  if (as === "guest") return new Visitor(owner.browser.siteUrl);
  return (as === "newcomer" ? newcomer : owner).browser.twin();
}

/** Opens an address; the owner does, unless the way says who. */
export function open(route: string, path: Path, way: CaseOptions = {}): RouteCase {
  const { as, usual = 200, fails = {}, init = {}, ...rest } = way;
  return {
    route,
    method: "GET",
    usual,
    fails,
    send: (users) => browserOf(as, users).request(given(path, users), given(init, users)),
    ...rest,
  };
}

/** Posts a form. */
export function post(route: string, path: Path, fields: Fields, way: CaseOptions = {}): RouteCase {
  const { as, usual = 303, fails = {}, init = {}, cookie, ...rest } = way;
  return {
    route,
    method: "POST",
    usual,
    fails,
    what: typeof fields === "object" ? fields.intent : undefined,
    async send(users) {
      const browser = browserOf(as, users);
      if (cookie) browser.setCookie(...(await cookie(users)));
      return browser.request(given(path, users), {
        method: "POST",
        body: new URLSearchParams(given(fields, users)),
        ...given(init, users),
      });
    },
    ...rest,
  };
}
