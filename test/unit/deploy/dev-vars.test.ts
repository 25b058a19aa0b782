import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeAddresses } from "../../../fakes/addresses.ts";
import { localVariables, moveLocalDefaults, neededFakes } from "../../../fakes/dev-vars.ts";

const example = {
  SITE_URL: "http://localhost:8787",
  SUPABASE_URL: "http://127.0.0.1:54500",
  STRIPE_API_URL: "http://127.0.0.1:54502",
  STRIPE_SECRET_KEY: "sk_test_local",
  SUPPORT_EMAIL: "support@livekit-deploy.example",
};
const target = { siteUrl: "http://localhost:9000", portBase: 54620 };

test("local defaults follow the site's port and the fakes' ports", () => {
  expect(moveLocalDefaults(example, example, target)).toEqual({
    ...example,
    SITE_URL: "http://localhost:9000",
    SUPABASE_URL: "http://127.0.0.1:54620",
    STRIPE_API_URL: "http://127.0.0.1:54622",
  });
});

test("a real service in .dev.vars stays as it is and gets no fake", () => {
  const userVariables = {
    ...example,
    SITE_URL: "https://dev.example.com",
    SUPABASE_URL: "https://abc.supabase.co",
  };
  const moved = moveLocalDefaults(userVariables, example, target);
  expect(moved.SITE_URL).toBe("https://dev.example.com");
  expect(moved.SUPABASE_URL).toBe("https://abc.supabase.co");
  expect(neededFakes(moved, fakeAddresses(54620))).toEqual({
    supabase: false,
    google: false,
    stripe: true,
    mail: true,
    turnstile: false,
    internet: false,
    alerts: false,
  });
});

test("Stripe's own API has no fake", () => {
  const { STRIPE_API_URL: _, ...withoutStripeUrl } = example;
  const moved = moveLocalDefaults(withoutStripeUrl, example, target);
  expect(neededFakes(moved, fakeAddresses(54620))).toMatchObject({
    supabase: true,
    google: true,
    stripe: false,
  });
});

test(".dev.vars is created from the example once, and then kept", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "dev-vars-"));
  writeFileSync(
    join(folder.path, ".dev.vars.example"),
    "# comment\nSITE_URL=http://localhost:8787\n",
  );
  const variables = localVariables({ ...target, projectRoot: folder.path });
  expect(variables).toEqual({ SITE_URL: "http://localhost:9000" });

  const file = join(folder.path, ".dev.vars");
  expect(readFileSync(file, "utf8")).toContain("SITE_URL=http://localhost:8787");
  writeFileSync(file, "SITE_URL=https://mine.example\n");
  expect(localVariables({ ...target, projectRoot: folder.path }).SITE_URL).toBe(
    "https://mine.example",
  );
});

test("the repository's own example asks for every fake", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "dev-vars-"));
  const exampleFile = readFileSync(new URL("../../../.dev.vars.example", import.meta.url));
  writeFileSync(join(folder.path, ".dev.vars.example"), exampleFile);
  const variables = localVariables({ ...target, projectRoot: folder.path });
  expect(variables).toMatchObject({
    SITE_URL: "http://localhost:9000",
    SUPABASE_URL: "http://127.0.0.1:54620",
    GOOGLE_API_URL: "http://127.0.0.1:54621",
    STRIPE_API_URL: "http://127.0.0.1:54622",
    RESEND_API_URL: "http://127.0.0.1:54623",
    TURNSTILE_API_URL: "http://127.0.0.1:54625",
    PAGERDUTY_API_URL: "http://127.0.0.1:54627",
    WEBHOOK_TEST_ORIGIN: "http://127.0.0.1:54627",
  });
  expect(neededFakes(variables, fakeAddresses(54620))).toEqual({
    supabase: true,
    google: true,
    stripe: true,
    mail: true,
    turnstile: true,
    internet: true,
    alerts: true,
  });
});
