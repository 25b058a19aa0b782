import { expect, test } from "vitest";
import { parse } from "yaml";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at } from "../../../support/deployments/bundle-checks.ts";

/** A file of the bundle that these answers make. */
function made(path: string, answers: Record<string, unknown> = {}): string {
  const options = optionsFrom({
    domain: "livekit.example.com",
    email: "you@example.com",
    ...answers,
  });
  return bundle(options).files.find((file) => file.path === path)?.content ?? "";
}

test("where Let's Encrypt gives no certificate, Caddy asks ZeroSSL in the same way, for every name (C9)", () => {
  for (const proxy of ["none", "existing"]) {
    const config = parse(made("caddy.yaml", { proxy }));
    expect(at(config, "apps.tls.certificates.automate")).toEqual([
      "livekit.example.com",
      "turn.livekit.example.com",
    ]);
    const policies = at(config, "apps.tls.automation.policies");
    // A policy without names is for every one.
    expect(policies).toEqual([{ issuers: [expect.anything(), expect.anything()] }]);
    const [first, second] = at(policies, "0.issuers") as Record<string, unknown>[];
    // ZeroSSL's account is made with the email address.
    expect(second).toEqual({ ...first, ca: "https://acme.zerossl.com/v2/DV90" });
    expect(first).toMatchObject({ module: "acme", email: "you@example.com" });
    expect(first).not.toHaveProperty("ca");
  }
  expect(made("README.md")).toContain("or from ZeroSSL where that gives none");
});
