import { afterAll, beforeAll, expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { sample } from "../../support/run/variants.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import { Visitor } from "../../support/site/visitor.ts";

/** Nobody listens there: whatever asks Supabase or Stripe fails, and says so in the log. */
const nobody = "http://127.0.0.1:9";
const secret = "5f0e2b77-a-query";

let worker: Awaited<ReturnType<typeof startOwnWorker>>;

beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPABASE_URL: nobody,
    STRIPE_API_URL: nobody,
  }));
});

afterAll(() => worker[Symbol.asyncDispose]());

test("Cloudflare keeps addresses without their queries", () => {
  for (const config of ["wrangler.toml", "build/server/wrangler.json"]) {
    const { observability } = unstable_readConfig({ config });
    expect([config, observability]).toEqual([
      config,
      expect.objectContaining({ enabled: true, redact_query_string: true }),
    ]);
  }
});

test("no log line of ours holds a query, even where everything fails", async () => {
  const query = new URLSearchParams(
    ["token_hash", "code", "error_description", "session_id", "next", "after", "topic"].map(
      (name) => [name, secret],
    ),
  );
  const visitor = new Visitor(worker.url);
  for (const { path } of sample(siteRoutes(), 25)) {
    const address = `${path.replace(/:\w+/g, "x")}?${query}&type=email`;
    for (const spelled of [address, `/${address}`, address.replace("?", ".data?")]) {
      const target = worker.url + spelled;
      await (await visitor.request(target)).body?.cancel();
      const fields = { token_hash: secret, type: "email", code: secret };
      await (await visitor.post(target, fields)).body?.cancel();
      await (await visitor.post(target, fields, { origin: "https://evil.example" })).body?.cancel();
    }
  }
  const lines: string[] = [];
  await pollUntil(
    () => lines.push(...worker.takeLogs().map((line) => JSON.stringify(line))),
    () => lines.length > 3,
  );
  expect(lines.filter((line) => line.includes(secret) || /[?&]\w+=/.test(line))).toEqual([]);
}, 180_000);
