import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProject, testNamespace, type Wrangler } from "../../support/deploy/deploy-project.ts";
import { testInProof } from "../../support/run/variants.ts";

const previewNamespace = "fedcba9876543210fedcba9876543210";
const variables =
  "STRIPE_SECRET_KEY=sk_test_1\nSITE_URL=https://www.example.com\nSUPPORT_CHAT_URL=\n";
const url = "https://pr-12-livekit-deploy-preview.ours.workers.dev";

function startPreview({
  preview_id = previewNamespace,
  wrangler = { uploaded: "v1" } as Wrangler,
} = {}) {
  return startProject({
    config: {
      name: "livekit-deploy",
      main: "index.js",
      routes: [{ pattern: "www.example.com", custom_domain: true }],
      triggers: { crons: ["*/10 * * * *"] },
      kv_namespaces: [{ binding: "PAGE_CACHE", id: testNamespace, preview_id }],
      ratelimits: [{ name: "SIGN_IN_LIMIT", namespace_id: "1001", simple: { limit: 20 } }],
      services: [{ binding: "BUNDLES", service: "livekit-deploy-servers", entrypoint: "Bundles" }],
    },
    wrangler,
  });
}

const settings = { PREVIEW_SUBDOMAIN: "ours", PREVIEW_VARIABLES: variables };

test("a preview is a version of a Worker of its own, which shares nothing with production", async () => {
  await using project = await startPreview();
  const { code, output, complaint } = await project.run(
    "scripts/deploy/preview.ts",
    ["--alias", "pr-12"],
    {
      ...settings,
      GITHUB_OUTPUT: join(project.path, "output"),
      GITHUB_STEP_SUMMARY: join(project.path, "summary"),
    },
  );
  expect(complaint).toBe("");
  expect(code).toBe(0);
  expect(output).toContain(`✓ ${url}`);
  const [, servers, uploaded = "", ...others] = await project.steps();
  expect(servers).toBe("wrangler deploy --config=build/servers/wrangler.preview.json");
  expect(JSON.parse(await project.seen("servers.wrangler.preview.json"))).toEqual({
    name: "livekit-deploy-servers-preview",
    routes: [],
  });
  expect(uploaded).toMatch(
    /^wrangler versions upload --preview-alias=pr-12 --config=build\/server\/wrangler\.preview\.json --secrets-file=/,
  );
  expect(others).toEqual([]);
  expect(JSON.parse(await project.seen("wrangler.preview.json"))).toEqual({
    name: "livekit-deploy-preview",
    main: "index.js",
    routes: [],
    triggers: { crons: [] },
    workers_dev: false,
    preview_urls: true,
    kv_namespaces: [{ binding: "PAGE_CACHE", id: previewNamespace }],
    ratelimits: [{ name: "SIGN_IN_LIMIT", namespace_id: "91001", simple: { limit: 20 } }],
    services: [
      { binding: "BUNDLES", service: "livekit-deploy-servers-preview", entrypoint: "Bundles" },
    ],
  });

  // It has the variables it was given and its own address; they do not stay on the disk.
  expect(JSON.parse(await project.seen("secrets.json"))).toEqual({
    STRIPE_SECRET_KEY: "sk_test_1",
    SITE_URL: url,
  });
  const secretsFile = uploaded.split("--secrets-file=")[1] ?? "";
  await expect(readFile(secretsFile)).rejects.toThrow("ENOENT");

  // GitHub learns where it is.
  expect(await readFile(join(project.path, "output"), "utf8")).toBe(`url=${url}\n`);
  expect(await readFile(join(project.path, "summary"), "utf8")).toContain(url);
});

testInProof("the preview Worker is made once, with --first", async () => {
  await using project = await startPreview();
  const { code, output } = await project.run(
    "scripts/deploy/preview.ts",
    ["--alias", "first", "--first"],
    settings,
  );
  expect(code).toBe(0);
  expect(output).toContain("✓ livekit-deploy-preview is there.");
  expect((await project.steps())[2]).toMatch(
    /^wrangler deploy --config=build\/server\/wrangler\.preview\.json/,
  );
});

testInProof("an upload that fails names the likeliest reason", async () => {
  await using project = await startPreview({ wrangler: { codes: { versions: 1 } } });
  const { code, complaint } = await project.run(
    "scripts/deploy/preview.ts",
    ["--alias", "pr-12"],
    settings,
  );
  expect(code).toBe(1);
  expect(complaint).toContain(
    "wrangler versions upload ended with code 1 (build/server/wrangler.preview.json). If the preview Worker",
  );
});

testInProof.each([
  {
    why: "a live key of Stripe",
    change: { PREVIEW_VARIABLES: `${variables}STRIPE_SECRET_KEY=sk_live_hunter2\n` },
    code: 2,
    says: "STRIPE_SECRET_KEY in PREVIEW_VARIABLES is a live key of Stripe.",
  },
  {
    why: "production's KV namespace",
    preview_id: testNamespace,
    code: 1,
    says: "PAGE_CACHE in wrangler.toml needs a preview_id of its own.",
  },
  { why: "no subdomain", change: { PREVIEW_SUBDOMAIN: "" }, code: 2, says: "PREVIEW_SUBDOMAIN" },
  { why: "a bent alias", alias: "Pr 12; rm", code: 2, says: "--alias takes small letters" },
])("with $why nothing is uploaded", async ({ change, preview_id, alias = "pr-12", code, says }) => {
  await using project = await startPreview(preview_id ? { preview_id } : {});
  const outcome = await project.run("scripts/deploy/preview.ts", ["--alias", alias], {
    ...settings,
    ...change,
  });
  expect(outcome.code).toBe(code);
  expect(outcome.complaint).toContain(says);
  expect(outcome.output + outcome.complaint).not.toContain("hunter2");
  expect((await project.steps()).join()).not.toContain("wrangler");
});
