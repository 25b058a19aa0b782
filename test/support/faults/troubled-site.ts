import type { Variables } from "../../../fakes/dev-vars.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { fakes } from "../site/fakes.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";
import { until } from "../site/until.ts";
import { startGoBetween } from "./go-between.ts";

/**
 * A Worker of its own, with variables of its own, whose ways to Supabase, Stripe, Google and Resend
 * can fail.
 * `await using` ends it.
 */
export async function startTroubledSite(own: Variables = {}) {
  const supabaseWay = await startGoBetween(fakes().supabase.url);
  const stripeWay = await startGoBetween(fakes().stripe.url);
  const googleWay = await startGoBetween(fakes().google.url);
  const mailWay = await startGoBetween(fakes().mail.url);
  const ways = [supabaseWay, stripeWay, googleWay, mailWay];
  const worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPABASE_URL: supabaseWay.url,
    STRIPE_API_URL: stripeWay.url,
    GOOGLE_API_URL: googleWay.url,
    RESEND_API_URL: mailWay.url,
    ...own,
  }));
  const lines: Record<string, unknown>[] = [];
  return {
    url: worker.url,
    runScheduled: worker.runScheduled,
    supabaseWay,
    stripeWay,
    googleWay,
    mailWay,
    /** All ways are good again, and what was logged is forgotten. */
    recover() {
      for (const way of ways) way.behave();
      worker.takeLogs();
      lines.length = 0;
    },
    /** What the Worker has logged with these fields, once there is something. */
    async logged(fields: Record<string, unknown>) {
      const matching = () =>
        lines.filter((line) => Object.entries(fields).every(([key, value]) => line[key] === value));
      await until(
        () => lines.push(...worker.takeLogs()),
        () => matching().length > 0,
      );
      return matching();
    },
    /** What the page cache has put into KV. */
    async keptPages(): Promise<string[]> {
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
      await Promise.all(ways.map((way) => way[Symbol.asyncDispose]()));
    },
  };
}

export type TroubledSite = Awaited<ReturnType<typeof startTroubledSite>>;
