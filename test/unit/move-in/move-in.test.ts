import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { GivenFile } from "~/features/audit/files/audited-file.ts";
import { bundle } from "~/features/deployments/bundle/bundle.ts";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { moveIn } from "~/features/move-in/move-in.ts";
import { postedOptions } from "~/features/move-in/posted-options.ts";
import { scriptTexts } from "../../support/deployments/bundle.ts";

const base = "test/support/audit/layouts";

/** A layout of the audit's, under names for which there are certificates. */
const layout = (name: string): GivenFile[] =>
  readdirSync(`${base}/${name}`).map((file) => ({
    name: file,
    text: readFileSync(`${base}/${name}/${file}`, "utf8").replaceAll(/\.test\b/g, ".example.net"),
  }));

const withNames = { domain: "livekit.example.com", email: "you@example.com" };

/** The bundle's livekit.yaml of what was found. */
function ourFile({ options, domain, email }: ReturnType<typeof moveIn>): Record<string, unknown> {
  const reading = parseOptions({
    ...options,
    domain: domain || withNames.domain,
    email: email || withNames.email,
  });
  if (!reading.options) throw new Error(JSON.stringify(reading.problems));
  const file = bundle(reading.options, scriptTexts).files.find(
    ({ path }) => path === "livekit.yaml",
  );
  return parse(file?.content ?? "");
}

test.for([
  [
    "vm",
    {
      domain: "livekit.acme.example.net",
      options: {
        mediaUdp: "range",
        turn: { mode: "auto" },
        turnUdpPort: "3478",
        webhooks: ["https://app.acme.example.net/livekit-events"],
      },
    },
  ],
  [
    "full",
    {
      domain: "livekit.beta.example.net",
      options: {
        ingress: "both",
        whipDomain: "whip.beta.example.net",
        recording: { kind: "s3", bucket: "beta-recordings", region: "eu-central-1" },
      },
    },
  ],
  ["sip", { domain: "livekit.iota.example.net", options: { sip: { kind: "on", sources: [] } } }],
  [
    "systemd",
    {
      domain: "livekit.zeta.example.net",
      options: {
        rooms: { createdByJoining: false, emptyTimeout: 60 },
        turn: { mode: "manual", domain: "turn.zeta.example.net" },
      },
    },
  ],
  ["traefik", { domain: "livekit.delta.example.net", options: { mediaUdp: "single" } }],
  [
    "bridge",
    { domain: "livekit.gamma.example.net", options: { rooms: { codecs: ["opus", "vp8"] } } },
  ],
  [
    "node",
    {
      domain: "",
      options: {
        redis: {
          kind: "sentinel",
          addresses: ["10.0.2.1:26379", "10.0.2.2:26379"],
          master: "livekit",
        },
      },
    },
  ],
  ["direct", { domain: "", options: { turnUdpPort: "443", limits: { tracks: 8_000 } } }],
] as const)(
  "of the layout %s everything is taken over that a deployment can have",
  ([name, wanted]) => {
    const found = moveIn(layout(name));
    expect(found).toMatchObject({ isFound: true, refused: [], ...wanted });
    for (const { label, value, file, line, setting } of found.mappings) {
      expect(label, setting).not.toBe("");
      expect(value, setting).not.toBe("");
      const text =
        layout(name)
          .find((each) => each.name === file)
          ?.text.split("\n") ?? [];
      expect(text[line - 1], `${file}:${line} ${setting}`).toBeDefined();
    }
    // What is sent is what the form's other side takes.
    expect(postedOptions(JSON.stringify(found.options))).toEqual(
      JSON.parse(JSON.stringify(found.options)),
    );
  },
);

test("each mapping says the line of the file that it comes from", () => {
  const files = layout("full");
  const { mappings } = moveIn(files);
  const lineOf = (option: string) => {
    const mapping = mappings.find((each) => each.option === option);
    return files.find(({ name }) => name === mapping?.file)?.text.split("\n")[
      (mapping?.line ?? 0) - 1
    ];
  };
  expect(lineOf("whipDomain")).toContain("whip_base_url: https://whip.beta");
  expect(lineOf("recording")).toContain("s3:");
  expect(lineOf("turn")).toContain("domain: turn.livekit.beta");
  expect(lineOf("email")).toContain("policies:");
});

test("no key, password or credential of any layout is in what is found, and each is named as staying", () => {
  const secrets =
    /kR3nV8qLx2TzY6mWc0pJ5sHd9fGb4aEu7iOo1|9f8e7d6c5b4a39281706f5e4d3c2b1a0|Mn8bVc6xZl4kJh2gFd0sAq9wEr7tYu5iOp3a/;
  for (const name of readdirSync(base)) {
    const files = layout(name);
    const found = moveIn(files);
    expect(JSON.stringify(found), name).not.toMatch(secrets);
    expect(found.secrets.map(({ setting }) => setting)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(keys|key_file)$/)]),
    );
  }
});

const file = (text: string): GivenFile => ({ name: "livekit.yaml", text: `rtc: {}\n${text}` });

test.for([
  ["webhook:\n  urls: [http://app.example.com/x]\n", "webhook.urls", "begins with https://"],
  [
    "webhook:\n  urls: ['https://app.example.com/?token=hunter2hunter2']\n",
    "webhook.urls",
    "There is a secret in it",
  ],
  ["room:\n  max_participants: -3\n", "room.max_participants", "whole number"],
  ["room:\n  enabled_codecs: [{mime: video/vp8}]\n", "room.enabled_codecs", "Add opus"],
  ["room:\n  enabled_codecs: [{mime: audio/pcmu}]\n", "room.enabled_codecs", "Choose one of"],
  ["turn:\n  enabled: true\n  domain: turn_1.example.com\n", "turn.domain", ""],
  ["redis:\n  address: 'redis example:6379'\n", "redis.address", "Write host and port"],
  ["region: us-west\n", "region", "one server"],
  ["turn:\n  cert_file: /etc/turn.pem\n", "turn.cert_file", "Caddy gets the certificate"],
  ["audio:\n  active_level: 30\n", "audio.active_level", "no such option"],
] as const)("%j is not taken over, and says why", ([text, setting, reason]) => {
  const { unmapped, mappings, options } = moveIn([file(text)]);
  const found = unmapped.find((each) => each.setting === setting);
  expect(found?.reason).toContain(reason);
  expect(mappings.some((each) => each.setting === setting)).toBe(false);
  expect(parseOptions({ ...options, ...withNames }).problems).toBeUndefined();
});

test("of a list what can be taken is taken, and one bad entry costs the others nothing", () => {
  const found = moveIn([
    file(
      "webhook:\n  urls: [https://a.example.com/x, http://b.example.com, https://c.example.com]\n",
    ),
  ]);
  expect(found.options.webhooks).toEqual(["https://a.example.com/x", "https://c.example.com"]);
  expect(found.unmapped).toMatchObject([{ setting: "webhook.urls: http://b.example.com" }]);
});

test("what differs is said with both values: a port, a switch that is off, and the version that runs", () => {
  const compose = {
    name: "compose.yaml",
    text: "services:\n  livekit:\n    image: livekit/livekit-server:v1.7.2\n",
  };
  const { differences } = moveIn([file("port: 8880\nturn:\n  enabled: false\n"), compose]);
  const of = (setting: string) => differences.find((each) => each.setting === setting);
  expect(of("port")).toMatchObject({ theirs: "8880", ours: "7880", line: 2 });
  expect(of("turn.enabled")).toMatchObject({ theirs: "false", ours: "true" });
  expect(of("prometheus.port")).toMatchObject({ theirs: "not set", ours: "6789" });
  expect(of("the version of LiveKit")).toMatchObject({ theirs: "v1.7.2", file: "compose.yaml" });
  for (const { reason } of differences) expect(reason).not.toBe("");
});

test("without a configuration of LiveKit nothing is said to be found", () => {
  expect(moveIn([{ name: "a.yaml", text: "services:\n  db:\n    image: x\n" }]).isFound).toBe(
    false,
  );
  expect(moveIn([])).toMatchObject({ isFound: false, options: {}, mappings: [] });
});

const port = fc.integer({ min: 1, max: 65_535 });
const codec = fc.constantFrom("audio/opus", "audio/red", "video/vp8", "video/VP9", "video/av1");
const flag = fc.boolean();
const setting = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** Configurations of LiveKit as people write them, good and bad. */
const configuration = fc.record({
  port: setting(port),
  rtc: setting(
    fc.record({
      tcp_port: setting(port),
      udp_port: setting(fc.oneof(port, fc.constant("7882-7892"))),
      port_range_start: setting(fc.constantFrom(40_000, 50_000)),
      port_range_end: setting(fc.constant(60_000)),
      use_external_ip: setting(flag),
      node_ip: setting(fc.constant("203.0.113.7")),
    }),
  ),
  room: setting(
    fc.record({
      auto_create: setting(flag),
      max_participants: setting(fc.integer({ min: -1, max: 200_000 })),
      empty_timeout: setting(fc.integer({ min: 0, max: 100_000 })),
      departure_timeout: setting(fc.integer({ min: 0, max: 100_000 })),
      enabled_codecs: setting(
        fc.array(
          codec.map((mime) => ({ mime })),
          { maxLength: 6 },
        ),
      ),
    }),
  ),
  limit: setting(
    fc.record({
      num_tracks: setting(fc.integer({ min: 0, max: 2_000_000 })),
      bytes_per_sec: setting(fc.integer({ min: 0 })),
    }),
  ),
  turn: setting(
    fc.record({
      enabled: setting(flag),
      domain: setting(fc.constantFrom("turn.example.net", "turn.livekit.example.com", "bad_name")),
      tls_port: setting(fc.constantFrom(0, 443, 5_349)),
      udp_port: setting(fc.constantFrom(0, 443, 3_478, 5_000)),
      external_tls: setting(flag),
    }),
  ),
  redis: setting(
    fc.record({
      address: setting(fc.constantFrom("localhost:6379", "redis.example.net:6379", "nowhere")),
      username: setting(fc.constantFrom("", "livekit", "a b")),
      use_tls: setting(flag),
      password: setting(fc.constant("hunter2hunter2hunter2")),
    }),
  ),
  webhook: setting(
    fc.record({
      urls: setting(
        fc.array(fc.constantFrom("https://a.example.net/x", "http://b.example.net", "nonsense"), {
          maxLength: 7,
        }),
      ),
      api_key: setting(fc.constant("APIabc")),
    }),
  ),
  ingress: setting(
    fc.record({ whip_base_url: setting(fc.constantFrom("https://whip.example.net/w", "x")) }),
  ),
  keys: fc.constant({ APIabc: "Jx9fQm2bT7wLkR4vYp8sZc3nHd6gUa1e" }),
});

/** The value at a setting of a parsed file. */
const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, key) => (inner as never)?.[key], value);

/** Values as LiveKit reads them: codecs in any order, and without what each list of video codecs has. */
const plain = (value: unknown): string =>
  JSON.stringify(
    Array.isArray(value)
      ? [
          ...new Set(
            value
              .map((each) => String(each?.mime ?? each).toLowerCase())
              .filter((each) => each !== "video/rtx"),
          ),
        ].toSorted()
      : value,
  );

/** What LiveKit does where the bundle's file says nothing, because it is the default. */
const defaults: Readonly<Record<string, unknown>> = {
  "room.auto_create": true,
  "room.max_participants": 0,
  "room.empty_timeout": 300,
  "room.departure_timeout": 20,
  "limit.num_tracks": 0,
  "limit.bytes_per_sec": 0,
};

test("whatever a configuration says, the options are valid, and the bundle's livekit.yaml agrees with it on every setting that is taken over", () => {
  fc.assert(
    fc.property(configuration, (theirs) => {
      const text = JSON.stringify({ ...theirs, rtc: theirs.rtc ?? {} });
      const found = moveIn([{ name: "livekit.yaml", text }]);
      const ours = ourFile(found);
      for (const { setting } of found.mappings) {
        const value = at(ours, setting) ?? defaults[setting];
        expect(plain(value), setting).toBe(plain(at(theirs, setting)));
      }
      // Nothing is silently dropped: each setting is mapped, unmapped with a reason, different, secret or the same.
      const said = [
        ...found.mappings,
        ...found.unmapped,
        ...found.differences,
        ...found.secrets,
      ].map(({ setting }) => setting.split(":")[0]);
      for (const name of ["max_participants", "empty_timeout", "departure_timeout"]) {
        const value = at(theirs, `room.${name}`);
        if (value !== undefined) expect(said, name).toContain(`room.${name}`);
      }
      expect(JSON.stringify(found)).not.toContain("hunter2");
    }),
  );
});

test("a text that nobody would write is read or refused, and breaks nothing", () => {
  const words = fc.constantFrom(
    "rtc:",
    "  - ",
    "turn: {",
    "}",
    "room: &a",
    "*a",
    "keys:",
    "\n",
    "🙂",
    "'",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string())), (parts) => {
      moveIn([{ name: "livekit.yaml", text: parts.join("") }]);
    }),
  );
});

test("of what is posted only options that files can say are read", () => {
  expect(postedOptions('{"webhooks":[],"domain":"x","name":"y","__proto__":{"a":1}}')).toEqual({
    webhooks: [],
  });
  for (const bad of [null, "", "[]", "1", "null", "{"]) expect(postedOptions(bad)).toBeUndefined();
});
