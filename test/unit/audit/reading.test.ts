import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { audit } from "../../../app/features/audit/audit.ts";
import { maxFileCharacters, maxFiles } from "../../../app/features/audit/files/audited-file.ts";
import { maskSecrets } from "../../../app/features/audit/mask.ts";
import { rules } from "../../../app/features/audit/rules/rules.ts";
import { withRulesTable } from "../../../scripts/generate/audit-rules/rules-table.ts";

const only = (name: string, text: string) => audit([{ name, text }]);

test.each([
  ["renamed.txt", "rtc:\n  tcp_port: 7881\n", "livekit"],
  ["a.yaml", "services:\n  x:\n    image: y\n", "compose"],
  ["a.yaml", "livekit:\n  rtc: {}\nreplicaCount: 1\n", "helm"],
  ["a.json", '{"apps": {"layer4": {"servers": {}}}}', "caddy"],
  ["a.yaml", "ws_url: ws://x\nrtmp_port: 1935\n", "ingress"],
  ["a.yaml", "ws_url: ws://x\nsip_port: 5060\n", "sip"],
  ["egress.yaml", "api_key: x\nredis: {address: a}\n", "egress"],
  ["a.yml", "tcp:\n  routers: {}\n", "traefik"],
  ["a", "server {\n  listen 443 ssl;\n}\n", "nginx"],
  ["a", "a.example.com {\n\treverse_proxy localhost:7880\n}\n", "caddyfile"],
  ["a", "bind 127.0.0.1\nport 6379\n", "redis"],
  ["a", "net.core.rmem_max=1\n", "sysctl"],
])("%s is known by its content: %j is %3$s", (name, text, kind) => {
  expect(only(name, text).files).toEqual([{ name, kind }]);
});

test.each([
  ["", "It is empty"],
  [" \n\n", "It is empty"],
  ["a\0b", "It is no text"],
  ["just words", "It has no keys"],
  ["colour: blue\n", "It is no file that the audit knows"],
  ["x".repeat(maxFileCharacters + 1), "It has more than 100 kB"],
  [
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [${at ? `*b${at - 1}, *b${at - 1}` : "*a, *a"}]`).join("\n")}\n`,
    "It repeats its own parts too often",
  ],
])("%# is refused with its reason", (text, message) => {
  expect(only("a.yaml", text)).toEqual({
    files: [],
    findings: [],
    refused: [{ name: "a.yaml", line: 1, message }],
  });
});

test("YAML that cannot be read is refused at its line", () => {
  const [refused] = only("a.yaml", "rtc:\n  tcp_port: 7881\nkeys:\n  a: [b\n").refused;
  expect(refused?.line).toBeGreaterThanOrEqual(4);
  const [twice] = only("a.yaml", "rtc: {}\nport: 7880\nport: 7881\n").refused;
  expect(twice).toMatchObject({ line: 3, message: expect.stringContaining("unique") });
});

test("a finding names the line of the key, of the place where it is missing, and of a file of Windows", () => {
  const text =
    "port: 7880\nrtc:\n  tcp_port: 881\n  use_external_ip: true\nturn:\n  enabled: true\n";
  for (const each of [text, text.replaceAll("\n", "\r\n"), `\uFEFF${text}`]) {
    const found = only("livekit.yaml", each).findings;
    expect(found.map(({ code, line, text }) => ({ code, line, text }))).toEqual([
      { code: "rtc.tcp.low", line: 3, text: "tcp_port: 881" },
      { code: "turn.ports.missing", line: 6, text: "enabled: true" },
    ]);
  }
});

test.each([
  ["one word", "x".repeat(maxFileCharacters)],
  ["blank lines", `rtc: {}\n${"\n".repeat(maxFileCharacters - 10)}`],
  ["spaces", `bind 127.0.0.1\na${" ".repeat(90_000)}b\n`],
  ["braces", `server {\n  listen 80;\n${"{ ".repeat(45_000)}`],
  ["lists in lists", `rtc: ${"[".repeat(90_000)}`],
  ["keys", `rtc:\n${Array.from({ length: 6_000 }, (_, at) => `  key${at}: 1\n`).join("")}`],
])("a file as large as it may be, of nothing but %s, ends without an error", (_, text) => {
  const { files, refused } = only("livekit.yaml", text);
  expect(files.length + refused.length).toBe(1);
});

test("more files than are read at once are refused by name", () => {
  const files = Array.from({ length: maxFiles + 1 }, (_, at) => ({
    name: `${at}.yaml`,
    text: "services: {x: {image: y}}\n",
  }));
  const { refused, files: read } = audit(files);
  expect(read).toHaveLength(maxFiles);
  expect(refused.map(({ name }) => name)).toEqual([`${maxFiles}.yaml`]);
});

test("what nobody would write makes no rule fail", () => {
  const odd = [null, [], {}, "", 0, -1, 1e9, true, ["x", null, {}], { a: [null] }];
  const tops = [
    "rtc",
    "turn",
    "redis",
    "keys",
    "webhook",
    "room",
    "limit",
    "node_selector",
    "ingress",
    "prometheus",
    "bind_addresses",
    "logging",
  ];
  for (const value of odd) {
    const livekit = Object.fromEntries([["port", 7880], ...tops.map((key) => [key, value])]);
    const service = {
      image: value,
      command: value,
      ports: value,
      volumes: value,
      environment: value,
      labels: value,
      logging: value,
      cap_add: value,
    };
    const report = audit([
      { name: "livekit.yaml", text: JSON.stringify(livekit) },
      {
        name: "compose.yaml",
        text: JSON.stringify({
          services: { livekit: service, b: value, egress: { ...service, image: "livekit/egress" } },
        }),
      },
      {
        name: "caddy.json",
        text: JSON.stringify({
          apps: {
            layer4: { servers: { a: { routes: value }, b: value } },
            tls: { certificates: value, automation: { policies: value } },
            http: { servers: { a: value } },
          },
        }),
      },
      {
        name: "egress.yaml",
        text: JSON.stringify({ ws_url: value, storage: value, cpu_cost: value, redis: value }),
      },
      {
        name: "nginx.conf",
        text: "}}}}\nserver {\n  listen 80;\n  location / {\n proxy_pass http://a:7880; { { ;;",
      },
    ]);
    expect(report.refused).toEqual([]);
  }
});

const secrets = [
  ["livekit.yaml", "rtc: {}\nkeys:\n  # mine\n  APIabc: SECRET\n  APIdef: 'SECRET2'\nport: 7880\n"],
  ["livekit.yaml", "rtc: {}\nkeys: {APIabc: SECRET, APIdef: SECRET2}\n"],
  [
    "egress.yaml",
    'api_key: APIabc\napi_secret: "SECRET"\nstorage: {s3: {access_key: SECRET2, secret: SECRET}}\nredis:\n  password: SECRET2\n',
  ],
  [
    "compose.yaml",
    "services:\n  livekit:\n    image: livekit/livekit-server\n    environment:\n      - LIVEKIT_KEYS=APIabc: SECRET\n      - REDIS_PASSWORD=SECRET2\n",
  ],
  [
    "compose.yaml",
    "services:\n  redis:\n    image: redis:7.4.11\n    command: redis-server --requirepass SECRET\n    environment: {AWS_SECRET_ACCESS_KEY: SECRET2}\n",
  ],
  [
    "compose.yaml",
    "services:\n  livekit:\n    image: livekit/livekit-server\n    environment:\n      LIVEKIT_KEYS: |\n        APIabc: SECRET\n        APIdef: SECRET2\n",
  ],
  ["redis.conf", "bind 127.0.0.1\nrequirepass SECRET\nuser default on >SECRET2 allkeys\n"],
  ["livekit.yaml", "rtc: {}\nwebhook:\n  urls: [https://me:SECRET@app.acme.test/SECRETLY]\n"],
  ["broken.yaml", "keys:\n  APIabc: SECRET\n  - [\n"],
  [
    "nginx.conf",
    "server {\n  listen 443 ssl;\n}\n# -----BEGIN PRIVATE KEY-----\n# SECRET\n# -----END PRIVATE KEY-----\n",
  ],
] as const;

test.each(secrets)("secrets of %s are masked, as long as they were: %j", (name, text) => {
  const [first, second] = [
    "kR3nV8qLx2TzY6mWc0pJ5sHd9fGb4aEu7iOo1",
    "Pq7wEr5tYu3iOp1aSd9fGh7jKl5zXc3v",
  ];
  const real = text.replace(/\bSECRET2\b/g, second).replace(/\bSECRET\b/g, first);
  const [masked] = maskSecrets([{ name, text: real }]);
  expect(masked?.text).not.toContain(first);
  expect(masked?.text).not.toContain(second);
  expect(masked?.text.length).toBe(real.length);
  expect(maskSecrets(masked ? [masked] : [])).toEqual([masked]);
  expect(JSON.stringify(audit([{ name, text: real }]))).not.toMatch(/kR3nV8|Pq7wEr/);
});

test("the same secret has the same mask in all files, and others have others", () => {
  const [one, two] = maskSecrets([
    { name: "a", text: "keys:\n  a: kR3nV8qLx2TzY6mWc0pJ\n  b: Pq7wEr5tYu3iOp1aSd9f\n" },
    { name: "b", text: "api_secret: Pq7wEr5tYu3iOp1aSd9f\n" },
  ]);
  const second = /b: (\S+)/.exec(one?.text ?? "")?.[1];
  expect(two?.text).toBe(`api_secret: ${second}\n`);
  expect(one?.text).not.toContain(`a: ${second}`);
});

test("what is no secret stays: examples, placeholders, variables and names of files", () => {
  const text =
    "keys:\n  devkey: secret\n  key: <your-secret>\n  a: $SECRET\nsecretName: turn-tls\nsecret_file: /run/secret\n";
  expect(maskSecrets([{ name: "a", text }])[0]?.text).toBe(text);
});

test("each rule has a code, a sentence, a reason and a public source", () => {
  for (const { code, title, reason, source } of rules) {
    expect(source, code).toMatch(/^https:\/\/[\w.-]+\//);
    expect(title, code).toMatch(/^([A-Z]|node_ip|nginx).*[^.]$/);
    expect(reason, code).toMatch(/^([A-Z]|force_tcp|proxy_protocol).*\.$/);
    expect(code).toMatch(/^[a-z0-9]+(\.[a-z0-9-]+)+$/);
  }
});

test("the documentation lists every rule", () => {
  const page = readFileSync("app/content/docs/audit.md", "utf8");
  expect(page, "npm run audit:rules writes the list").toBe(withRulesTable(page));
});
