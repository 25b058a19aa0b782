import { constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { type FakeAddresses, fakeAddresses } from "./addresses.ts";

export type Variables = Record<string, string>;

/** Where the example's fakes listen. */
export const defaultPortBase = 54500;

function read(file: string): Variables {
  return parseEnv(readFileSync(file, "utf8")) as Variables;
}

/** Creates .dev.vars from .dev.vars.example when there is none. */
function createDevVars(projectRoot: string): void {
  const file = join(projectRoot, ".dev.vars");
  if (existsSync(file)) return;
  copyFileSync(join(projectRoot, ".dev.vars.example"), file, constants.COPYFILE_EXCL);
}

/**
 * Replaces the example's addresses of the site and the fakes by those of this run. Only a value that is still the
 * example's is replaced: a real service that is set up in .dev.vars stays.
 */
export function moveLocalDefaults(
  variables: Variables,
  example: Variables,
  target: { siteUrl: string; portBase: number },
): Variables {
  const from = fakeAddresses(defaultPortBase);
  const to = fakeAddresses(target.portBase);
  const moves = new Map([
    [from.supabase.url, to.supabase.url],
    [from.google.url, to.google.url],
    [from.stripe.url, to.stripe.url],
    [from.mail.url, to.mail.url],
    [from.turnstile.url, to.turnstile.url],
    [from.alerts.url, to.alerts.url],
    [`${from.internet.url}/dns-query`, `${to.internet.url}/dns-query`],
    [`${from.internet.url}/servers`, `${to.internet.url}/servers`],
    [`${from.internet.url}/sockets`, `${to.internet.url}/sockets`],
  ]);
  if (example.SITE_URL) moves.set(example.SITE_URL, target.siteUrl);
  // wrangler and Vite listen at one port, for both Workers: the site's passes on what is for the other hostname.
  const { port } = new URL(target.siteUrl);
  if (example.SERVERS_URL) moves.set(example.SERVERS_URL, `http://servers.localhost:${port}`);
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value === example[name] ? (moves.get(value) ?? value) : value,
    ]),
  );
}

/**
 * The variables of .dev.vars, which is created if it does not exist, with the addresses of this run's site and fakes.
 */
export function localVariables(target: {
  siteUrl: string;
  portBase: number;
  projectRoot?: string;
}): Variables {
  const root = target.projectRoot ?? process.cwd();
  createDevVars(root);
  return moveLocalDefaults(
    read(join(root, ".dev.vars")),
    read(join(root, ".dev.vars.example")),
    target,
  );
}

export interface NeededFakes {
  supabase: boolean;
  google: boolean;
  stripe: boolean;
  mail: boolean;
  turnstile: boolean;
  internet: boolean;
  alerts: boolean;
}

/** Which fakes these variables need: a service that has another address needs none. The inbox is always needed. */
export function neededFakes(variables: Variables, addresses: FakeAddresses): NeededFakes {
  const supabase = variables.SUPABASE_URL === addresses.supabase.url;
  return {
    supabase,
    google: supabase || variables.GOOGLE_API_URL === addresses.google.url,
    stripe: variables.STRIPE_API_URL === addresses.stripe.url,
    mail: true,
    turnstile: variables.TURNSTILE_API_URL === addresses.turnstile.url,
    internet: variables.DNS_API_URL === `${addresses.internet.url}/dns-query`,
    alerts: [variables.PAGERDUTY_API_URL, variables.WEBHOOK_TEST_ORIGIN].includes(
      addresses.alerts.url,
    ),
  };
}

/** The variables of `.dev.vars.example` for a site of tests or drawings: never somebody's own `.dev.vars`. */
export function exampleVariables(target: { siteUrl: string; portBase: number }): Variables {
  const example = read(".dev.vars.example");
  return moveLocalDefaults(example, example, target);
}
