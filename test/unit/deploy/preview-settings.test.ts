import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { previewConfig } from "../../../scripts/deploy/preview/config.ts";
import { previewVariables } from "../../../scripts/deploy/preview/variables.ts";

const url = "https://pr-12-livekit-deploy-preview.ours.workers.dev";

test.each([
  {
    line: "STRIPE_SECRET_KEY=sk_live_hunter2",
    says: "STRIPE_SECRET_KEY in PREVIEW_VARIABLES is a live",
  },
  { line: "STRIPE_SECRET_KEY=rk_live_hunter2", says: "is a live key of Stripe. Use a test key." },
  { line: "STRIPE_PUBLISHABLE_KEY=pk_live_hunter2", says: "STRIPE_PUBLISHABLE_KEY in PREVIEW" },
  { line: "SUPABASE_DB_URL=postgresql://u:hunter2@db", says: "leads into a database" },
  { line: "CLOUDFLARE_API_TOKEN=hunter2", says: "opens the Cloudflare account" },
])("a preview does not get $line", ({ line, says }) => {
  const make = () => previewVariables(`STRIPE_SECRET_KEY=sk_test_1\n${line}\n`, url);
  expect(make).toThrow(says);
  expect(make).not.toThrow("hunter2");
});

test("a preview's address is its own, and what is left empty is left out", () => {
  const text = "STRIPE_SECRET_KEY=rk_test_1\nSITE_URL=https://www.example.com\nSUPPORT_CHAT_URL=\n";
  expect(previewVariables(text, url)).toEqual({ STRIPE_SECRET_KEY: "rk_test_1", SITE_URL: url });
});

test.each([undefined, "", "SITE_URL=https://www.example.com"])(
  "without variables (%j) there is no preview",
  (text) => {
    expect(() => previewVariables(text, url)).toThrow("PREVIEW_VARIABLES must hold");
  },
);

test.each([undefined, "0123456789abcdef0123456789abcdef", "00000000000000000000000000000002"])(
  "with %s for a KV namespace there is no preview",
  async (preview_id) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "preview-"));
    const built = join(folder.path, "wrangler.json");
    const id = "0123456789abcdef0123456789abcdef";
    const config = { name: "x", kv_namespaces: [{ binding: "PAGE_CACHE", id, preview_id }] };
    await writeFile(built, JSON.stringify(config));
    expect(() => previewConfig(built)).toThrow(
      "PAGE_CACHE in wrangler.toml needs a preview_id of its own.",
    );
  },
);
