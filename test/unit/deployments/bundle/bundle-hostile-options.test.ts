import { expect, test, vi } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import {
  caddyProblems,
  composeProblems,
  yamlProblems,
} from "../../../support/deployments/bundle-checks.ts";
import { hostileStrings } from "../../../support/deployments/hostile-strings.ts";
import { amount } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const whole = {
  domain: "livekit.example.com",
  email: "you@example.com",
  extraDomains: ["calls.example.com"],
  turn: { mode: "manual", domain: "relay.example.com", udp: true, tls: true },
  turnUdpPort: "443",
  mediaUdp: "single",
  rooms: { codecs: ["opus", "vp8"] },
  whipDomain: "whip.example.com",
  ingress: "both",
  firewall: { preset: "custom", rules: [{ protocol: "tcp", ports: "9200", source: "10.0.0.0/8" }] },
  sshSource: ["192.0.2.0/24"],
  monitoring: "24/7",
  alertUrl: "https://alerts.example.com/hook",
  recording: {
    kind: "s3",
    bucket: "recordings",
    region: "eu-west-1",
    endpoint: "https://s3.example.com",
  },
  webhooks: ["https://hooks.example.com/livekit"],
  sip: { kind: "on", sources: ["203.0.113.0/24"] },
  agent: { kind: "image", image: "registry.example.com/team/agent:1.4.2" },
  backups: {
    frequency: "daily",
    ageRecipient: `age1${"q".repeat(58)}`,
    target: {
      kind: "s3",
      bucket: "backups",
      region: "eu-west-1",
      endpoint: "https://s3.example.com",
      prefix: "livekit",
    },
  },
  versions: {
    livekit: "v1.13.5",
    egress: "v1.14.1",
    ingress: "v1.5.0",
    caddy: "v2.10.2",
    redis: "7.4.6-alpine",
  },
  redis: { kind: "external", address: "redis.example.com:6379", username: "livekit", tls: true },
};

/** Every place in `whole` that holds a text, as a path. */
function textPaths(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === "string") return [[...path]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textPaths(inner, [...path, key]));
}

function withText(path: readonly string[], text: string): unknown {
  const typed: unknown = structuredClone(whole);
  let holder: unknown = typed;
  for (const key of path.slice(0, -1)) holder = Reflect.get(Object(holder), key);
  Reflect.set(Object(holder), path.at(-1) ?? "", text);
  return typed;
}

/** In `npm test` every third string, another third in the next place. */
const stringsFor = (place: number) =>
  amount({
    inTest: hostileStrings.filter((_, at) => at % 3 === place % 3),
    inProof: hostileStrings,
  });

test("hostile text is refused at its field, or does nothing in any file", () => {
  const seen = new Set<string>();
  for (const [place, path] of textPaths(whole).entries())
    for (const text of stringsFor(place)) {
      const { options, problems } = parseOptions(withText(path, text));
      const label = `${path.join(".")}: ${JSON.stringify(text)}`;
      if (problems) {
        const [first] = path;
        expect(
          problems.some((problem) => problem.path.split(".")[0] === first),
          label,
        ).toBe(true);
        for (const { message } of problems) expect(message, label).toMatch(/^[A-Z#a-z].{8,}[.%]$/s);
        continue;
      }
      for (const { path: name, content, language } of bundle(options).files) {
        if (seen.has(content)) continue;
        seen.add(content);
        // The README alone shows a unicode name as people read it: letters, and nothing that hides or turns.
        const plain = language === "markdown" ? content.replace(/[\p{L}\p{N}]/gu, "") : content;
        expect(plain.includes("#{") || /[^\n -~]/.test(plain), `${label} in ${name}`).toBe(false);
        if (language === "yaml") expect(yamlProblems(content), `${label} in ${name}`).toEqual([]);
        if (name === "docker-compose.yaml") expect(composeProblems(content), label).toEqual([]);
        if (name === "caddy.yaml") expect(caddyProblems(content), label).toEqual([]);
        if (name === "deployment.env")
          for (const line of content.trimEnd().split("\n"))
            expect(line, label).toMatch(/^[A-Z_]+='[A-Za-z0-9._:/,@+?=&%~-]*'$/);
      }
    }
});

test("no hostile text passes as a domain, an email address, a version, a bucket or an address", () => {
  const fields = [
    ["domain"],
    ["email"],
    ["versions", "livekit"],
    ["redis", "address"],
    ["alertUrl"],
    ["webhooks", "0"],
    ["agent", "image"],
  ];
  for (const path of fields)
    for (const text of hostileStrings.filter((text) => text !== "münchen.de"))
      expect(parseOptions(withText(path, text)).problems, `${path}: ${text}`).toBeDefined();
});
