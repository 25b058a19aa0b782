import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Variables } from "../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { fakes, resetFakes } from "../site/control-fakes.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";
import { pollUntil } from "../site/poll.ts";
import { startFaultProxy } from "./fault-proxy.ts";

/**
 * A Worker of its own, with variables of its own, with a proxy before Supabase, Stripe, Google and
 * Resend that can fail. `await using` ends it.
 */
export async function startSiteWithFaults(variables: Variables = {}) {
  const supabaseProxy = await startFaultProxy(fakes().supabase.url);
  const stripeProxy = await startFaultProxy(fakes().stripe.url);
  const googleProxy = await startFaultProxy(fakes().google.url);
  const mailProxy = await startFaultProxy(fakes().mail.url);
  const proxies = [supabaseProxy, stripeProxy, googleProxy, mailProxy];
  const worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPABASE_URL: supabaseProxy.url,
    STRIPE_API_URL: stripeProxy.url,
    GOOGLE_API_URL: googleProxy.url,
    RESEND_API_URL: mailProxy.url,
    ...variables,
  }));
  const lines: Record<string, unknown>[] = [];
  return {
    url: worker.url,
    runScheduled: worker.runScheduled,
    supabaseProxy: supabaseProxy,
    stripeProxy: stripeProxy,
    googleProxy: googleProxy,
    mailProxy: mailProxy,
    /** Every proxy forwards again, and what was logged is forgotten. */
    recover() {
      for (const proxy of proxies) proxy.behave();
      worker.takeLogs();
      lines.length = 0;
    },
    /** What the Worker has logged with these fields, once there is something. */
    async logged(fields: Record<string, unknown>) {
      const matching = () =>
        lines.filter((line) => Object.entries(fields).every(([key, value]) => line[key] === value));
      await pollUntil(
        () => lines.push(...worker.takeLogs()),
        () => matching().length > 0,
      );
      return matching();
    },
    /** What the page cache has put into KV. */
    async cachedPages(): Promise<string[]> {
      const kv = await worker.pageCache();
      const { keys } = await kv.list();
      return Promise.all(keys.map(async ({ name }) => (await kv.get(name)) ?? ""));
    },
    /** Everything that was logged, as text. */
    everyLogLine(): string[] {
      lines.push(...worker.takeLogs());
      return lines.map((line) => JSON.stringify(line));
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await Promise.all(proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    },
  };
}

export type SiteWithFaults = Awaited<ReturnType<typeof startSiteWithFaults>>;

let shared: Promise<SiteWithFaults> | undefined;

/**
 * A site with faults for all files of a process, since a Worker costs two seconds of a core to start; it ends with the
 * process. What a Worker remembers for a while (keys, ended sessions, that no mail goes out) an earlier file may have
 * taught it: a test of that starts its own.
 */
export async function sharedSiteWithFaults(): Promise<SiteWithFaults> {
  shared ??= startSiteWithFaults();
  const site = await shared;
  site.recover();
  return site;
}

/**
 * A site with faults for the whole file: the shared one, or one with `variables`. Before each test every proxy forwards
 * and the fakes are empty. Returns a function that gives a test the site.
 */
export function siteWithFaults(variables?: Variables): () => SiteWithFaults {
  let site: SiteWithFaults | undefined;
  beforeAll(async () => {
    site = await (variables ? startSiteWithFaults(variables) : sharedSiteWithFaults());
  });
  if (variables) afterAll(() => site?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    await resetFakes();
    site?.recover();
  });
  return () => {
    if (!site) throw new Error("The site starts before the file's first test, not earlier.");
    return site;
  };
}
