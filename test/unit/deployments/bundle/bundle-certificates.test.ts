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
    // Another proxy has the machine's port 80 and 443, and passes the authority's requests on.
    expect(at(first, "challenges.http.alternate_port")).toBe(
      proxy === "existing" ? 8081 : undefined,
    );
  }
  expect(made("README.md")).toContain("or from ZeroSSL where that gives none");
});

const ways = ["dns-cloudflare", "dns-digitalocean", "dns-hetzner", "dns-route53", "files"];

test.each(ways)("with certificates by %s no port but 443 is open for them", (certificates) => {
  for (const proxy of ["none", "existing"]) {
    const answers = { certificates, proxy };
    const env = made("deployment.env", answers);
    expect(env).toMatch(/^PUBLIC_PORTS='443\/tcp,7881\/tcp,/m);
    const rules = made("firewall.nft", answers);
    expect(rules).toMatch(/tcp dport \{? ?443/);
    expect(rules).not.toMatch(/\b80\b|8081/);
    expect(made("create-vm.sh", { ...answers, provider: "digital-ocean" })).not.toMatch(
      /ports:80\b/,
    );
    expect(made("README.md", answers)).not.toMatch(
      /`80\/tcp`|port 80 (is|and|for)|:8081|listen 80/,
    );
    // Caddy asks no authority: it reads what it is given, for every name with TURN's.
    expect(at(parse(made("caddy.yaml", answers)), "apps.tls")).toEqual({
      certificates: { load_folders: ["/data/given"] },
    });
  }
});

test.each([
  ["cloudflare", "aws", "CF_DNS_API_TOKEN"],
  ["digitalocean", "aws", "DO_AUTH_TOKEN"],
  ["hetzner", "aws", "HETZNER_API_TOKEN"],
  ["route53", "hetzner", "AWS_ACCESS_KEY_ID,AWS_SECRET_ACCESS_KEY"],
  // The role of the machine may do it.
  ["route53", "aws", ""],
])("by DNS at %s a machine at %s needs: %s", (dns, provider, names) => {
  const answers = { provider, certificates: `dns-${dns}` };
  const env = made("deployment.env", answers);
  for (const line of [
    "CERTIFICATES='dns'",
    `DNS_PROVIDER='${dns}'`,
    `DNS_CREDENTIALS='${names}'`,
    "EMAIL='you@example.com'",
    "LEGO_IMAGE='goacme/lego:v5.6.0'",
  ])
    expect(env.split("\n")).toContain(line);
  // Until the credentials are there, nothing fails twice a day.
  const condition = "ConditionPathExists=/opt/livekit/dns.env\n";
  expect(made("livekit-certificate.service", answers).includes(condition)).toBe(names !== "");
  expect(made("livekit-certificate.timer", answers)).toContain("OnCalendar=*-*-* 05,17:00:00\n");
});

test("only a machine that is given its certificates has what takes them", () => {
  for (const path of ["certificate.sh", "livekit-certificate.timer"]) expect(made(path)).toBe("");
  expect(made("deployment.env")).not.toMatch(/CERTIFICATES|LEGO/);
  expect(made("certificate.sh", { certificates: "files" })).not.toBe("");
  expect(made("livekit-certificate.timer", { certificates: "files" })).toBe("");
});
