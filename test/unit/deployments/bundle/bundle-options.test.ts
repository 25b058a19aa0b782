import { expect, test } from "vitest";
import { deploymentFields } from "~/content/deployment-fields.ts";
import { toUnicode } from "~/features/deployments/bundle/names.ts";
import { migrateOptions } from "~/features/deployments/bundle/options/option-migrations.ts";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { makeSecrets } from "~/features/deployments/bundle/secrets.ts";
import { optionDocs } from "../../../../scripts/bundle/options/schema.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../../../support/deployments/bundle-cases.ts";

const named = { domain: "livekit.example.com", email: "you@example.com" };

test("a unicode domain becomes punycode and is read back", () => {
  for (const [typed, stored] of [
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["例え.テスト.com", "xn--r8jz45g.xn--zckzah.com"],
    ["Straße.DE", "xn--strae-oqa.de"],
    ["livekit.example.com", "livekit.example.com"],
  ] as const) {
    expect(optionsFrom({ domain: typed }).domain).toBe(stored);
    expect(toUnicode(stored)).toBe(typed.toLowerCase());
  }
});

test("every refusal names its field and says what to do", () => {
  const refused = (typed: Record<string, unknown>) =>
    parseOptions({ ...named, ...typed }).problems?.[0];
  const cases = [
    [{ domain: "*.example.com" }, "domain", /wildcard/],
    [{ domain: "1.2.3.4" }, "domain", /IP address/],
    [{ domain: undefined }, "domain", /needed/],
    [{ extraDomains: ["livekit.example.com"] }, "extraDomains.0", /used for domain too/],
    [
      { ingress: "webrtc", whipDomain: "turn.livekit.example.com" },
      "whipDomain",
      /turn.domain too/,
    ],
    [{ provider: "azure", system: "amazon-linux-2023" }, "system", /AWS only/],
    [{ firewall: { preset: "strict" } }, "sshSource", /SSH/],
    [
      { security: "enterprise", backups: { frequency: "daily" } },
      "backups.ageRecipient",
      /age key/,
    ],
    [
      { turn: { mode: "manual", domain: "t.example.com", udp: false, tls: false } },
      "turn",
      /at least one/,
    ],
    [{ versions: { livekit: "latest" } }, "versions.livekit", /Tags that move/],
    [{ versions: { livekit: "v1.7.1" } }, "versions.livekit", /1\.8 or later/],
    [{ webhooks: ["https://me:secret@hooks.example.com/"] }, "webhooks.0", /begins with https/],
    [{ sip: { kind: "on", sources: ["2001:db8::/32"] } }, "sip.sources.0", /IPv4 only/],
    [{ provider: "other", addresses: "ipv6", sip: { kind: "on" } }, "sip", /needs an IPv4 address/],
    [{ sip: { kind: "on", sources: ["sip.example.com"] } }, "sip.sources.0", /address range/],
    [{ agent: { kind: "image" } }, "agent.image", /needed/],
    [{ rooms: { emptyTimeout: 0 } }, "rooms.emptyTimeout", /from 1 to 86400/],
    [{ rooms: { maxParticipants: "50" } }, "rooms.maxParticipants", /whole number/],
    [{ rooms: { codecs: ["vp8"] } }, "rooms.codecs", /opus/],
    [{ rooms: { codecs: ["opus", "vp8\nx"] } }, "rooms.codecs.1", /Choose one of/],
    [{ limits: { tracks: 1.5 } }, "limits.tracks", /whole number/],
    [{ limits: { bytesPerSecond: -1 } }, "limits.bytesPerSecond", /whole number/],
    [{ turnUdpPort: "53" }, "turnUdpPort", /3478, 443/],
    [{ webhooks: ["http://hooks.example.com/"] }, "webhooks.0", /begins with https/],
    [{ webhooks: Array(6).fill("https://hooks.example.com/") }, "webhooks", /at most 5/],
    [{ sshSource: ["2001:db8::/32"] }, "sshSource.0", /IPv4 only/],
    [{ recording: { kind: "s3" } }, "recording.bucket", /needed/],
    [{ colour: "red" }, "colour", /no such option/],
    [{ version: 2 }, "version", /version 1/],
    [{ drain: { minutes: 721 } }, "drain.minutes", /whole number from 0 to 720/],
    [{ drain: { minutes: 1.5 } }, "drain.minutes", /whole number/],
    [{ drain: { minutes: "15; reboot" } }, "drain.minutes", /whole number/],
    [{ drain: 15 }, "drain", /how long to wait/],
    [{ backups: { target: { kind: "ftp" } } }, "backups.target.kind", /Choose one of/],
    [{ backups: { target: { kind: "s3" } } }, "backups.target.bucket", /needed/],
    [
      { backups: { target: { kind: "azure", account: "a.b", container: "ok-name" } } },
      "backups.target.account",
      /storage account/,
    ],
    [
      { security: "enterprise", backups: { target: { kind: "gcs", bucket: "backups" } } },
      "backups.ageRecipient",
      /age key/,
    ],
    [{ maintenance: { hour: 24 } }, "maintenance.hour", /whole number from 0 to 23/],
    [{ maintenance: { day: "Sun *-*-*" } }, "maintenance.day", /Choose one of/],
    [
      {
        firewall: {
          preset: "custom",
          rules: [{ protocol: "tcp", ports: "6000-7000", source: "0.0.0.0/0" }],
        },
        sshSource: ["192.0.2.1"],
      },
      "firewall.rules.0.ports",
      /internal/,
    ],
    [
      { firewall: { preset: "custom", rules: [6000] }, sshSource: ["192.0.2.1"] },
      "firewall.rules.0",
      /^Write an object of options here\.$/,
    ],
  ] as const;
  for (const [typed, path, words] of cases)
    expect(refused(typed), path).toMatchObject({ path, message: expect.stringMatching(words) });
  expect(parseOptions("text").problems).toEqual([
    { path: "", message: "Write an object of options here." },
  ]);
});

test("checked options are checked options again, unchanged", () => {
  for (const options of pairwiseOptions(0).slice(0, 40))
    expect(parseOptions(JSON.parse(JSON.stringify(options)))).toEqual({ options });
});

test("warnings say what a choice may surprise with", () => {
  const warned = (typed: Record<string, unknown>) =>
    bundle(optionsFrom({ domain: "livekit.example.com", ...typed })).warnings.map(
      ({ path }) => path,
    );
  expect(warned({ size: "small", recording: { kind: "local" } })).toEqual([
    "size",
    "recording",
    "sshSource",
  ]);
  expect(warned({ versions: { livekit: "v1.10.0" } })).toContain("versions.livekit");
  expect(warned({ backups: { frequency: "daily" } })).toContain("backups.ageRecipient");
  expect(warned({ sip: { kind: "on" } })).toContain("sip.sources");
  expect(warned({ sip: { kind: "on" }, size: "small" })).toContain("size");
  expect(warned({ agent: { kind: "image", image: "team/agent:7" } })).toContain("agent.image");
  expect(warned({ turnUdpPort: "443", proxy: "existing" })).toContain("turnUdpPort");
  const noUdp = { mode: "manual", domain: "t.example.com", udp: false };
  expect(warned({ turnUdpPort: "443", turn: noUdp })).toContain("turnUdpPort");
  expect(warned({ turnUdpPort: "443", sshSource: ["192.0.2.1"] })).toEqual([]);
  expect(warned({ sshSource: ["192.0.2.1"] })).toEqual([]);
});

test.each("local lan home corp mail intranet private localdomain workgroup alt".split(" "))(
  "a name that ends in .%s gets no certificate, so it is refused with that reason (C5)",
  (ending) => {
    const message = `No certificate authority vouches for names that end in .${ending}.`;
    expect(parseOptions({ ...named, domain: `livekit.${ending}` }).problems).toEqual([
      { path: "domain", message },
    ]);
    expect(parseOptions({ ...named, domain: `${ending}.example.com` }).problems).toBeUndefined();
  },
);

test("a version has three numbers: a tag that patches move is refused", () => {
  const refused = (versions: Record<string, string>) =>
    parseOptions({ ...named, versions }).problems?.map(({ path }) => path);
  for (const tag of ["v1.13", "1.13", "v1.13-rc1", "v1"])
    expect(refused({ livekit: tag }), tag).toEqual(["versions.livekit"]);
  for (const tag of ["7.4", "7.4-alpine", "8-alpine"])
    expect(refused({ redis: tag }), tag).toEqual(["versions.redis"]);
  expect(refused({ livekit: "1.13.5-rc.1", redis: "7.4.6-alpine" })).toBeUndefined();
});

test("an image of one's own has a version or a digest, and a tag that moves is refused with the reason", () => {
  const refused = (image: string) =>
    parseOptions({ ...named, agent: { kind: "image", image } }).problems?.map(
      ({ path, message }) => `${path}: ${message}`,
    );
  const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
  for (const image of [
    "agent:1",
    "team/agent:2026-11-22.3_a",
    "localhost:5000/agent:v1.2.3",
    "123.dkr.ecr.eu-west-1.amazonaws.com/team/agent:build-42",
    `ghcr.io/team/my__agent@${digest}`,
    `ghcr.io/team/agent:latest@${digest}`,
  ])
    expect(refused(image), image).toBeUndefined();
  for (const image of ["agent", "ghcr.io/team/agent", "agent:latest", "ghcr.io/team/agent:main"])
    expect(refused(image), image).toEqual([
      expect.stringMatching(/^agent\.image: .* moves: nobody/),
    ]);
  for (const image of [
    "Team/agent:1",
    "agent:1 --privileged",
    "agent:1@sha256:abc",
    "https://ghcr.io/team/agent:1",
    "../agent:1",
    "agent:$TAG",
    "agent:-1",
    `${"a/".repeat(250)}a:1`,
    `${"a-".repeat(10_000)}:1`,
  ])
    expect(refused(image), image.slice(0, 40)).toEqual([
      expect.stringMatching(/^agent\.image: (Write an image such as|This is too long)/),
    ]);
});

test("a visitor's draft becomes options, label by label", () => {
  const ids = Object.values(optionDocs).flatMap((docs) =>
    typeof docs === "object" ? docs.values.map(([value]) => value) : [],
  );
  for (const [field, question] of Object.entries(deploymentFields))
    for (const label of "options" in question ? question.options : []) {
      const id = label.toLowerCase().replaceAll(" ", "-");
      const migrated = JSON.stringify(migrateOptions({ instanceType: "Large", [field]: label }));
      expect(ids, `${field}: ${label}`).toContain(id);
      expect(migrated, `${field}: ${label}`).toContain(`"${id}"`);
      expect(migrated).toContain('"version":1');
    }
  expect(
    parseOptions({
      provider: "Digital Ocean",
      region: "Asia Pacific",
      instanceType: "Large",
      domain: "livekit.example.com",
      email: "you@example.com",
      monitoring: "24/7",
      backupFrequency: "Weekly",
    }).options,
  ).toMatchObject({
    provider: "digital-ocean",
    region: "asia-pacific",
    size: "large",
    monitoring: "24/7",
    backups: { frequency: "weekly" },
  });
});

test("browser-made secrets have LiveKit's shapes, and every character is equally likely", () => {
  const made = makeSecrets((bytes) => crypto.getRandomValues(bytes));
  expect(made.apiKey).toMatch(/^API[0-9A-Za-z]{12}$/);
  expect(made.apiSecret).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(made.redisPassword).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(made.webhookSecret).toMatch(/^[0-9A-Za-z]{43}$/);
  // Fed every byte equally often, an unbiased choice gives every character equally often.
  let next = 0;
  const counts = new Map<string, number>();
  for (let round = 0; round < 1000; round += 1) {
    const { apiKey, ...others } = makeSecrets((bytes) =>
      bytes.map(() => {
        next = (next * 5 + 1) % 65_536;
        return next >> 8;
      }),
    );
    for (const character of [apiKey.slice(3), ...Object.values(others)].join(""))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const numbers = [...counts.values()];
  expect(Math.max(...numbers) / Math.min(...numbers)).toBeLessThan(1.15);
});
