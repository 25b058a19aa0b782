import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseBalanced } from "../../../support/deployments/bundle-cases.ts";
import {
  caddyProblems,
  composeProblems,
  textOf,
  unknownKeys,
  yamlProblems,
} from "../../../support/deployments/bundle-checks.ts";
import { amount, sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 180_000 });

const usual = {
  domain: "livekit.example.com",
  email: "you@example.com",
  topology: { kind: "balanced" },
  certificates: "dns-hetzner",
  redis: { kind: "external", address: "redis.example.com:6379" },
};
const console = { url: "https://console.example.com", token: "t".repeat(43) };
const three = optionsFrom({ ...usual, recording: { kind: "local" } });

test("the files of every form behind a balancer are right by their own schemas, and hold no secret", () => {
  const all = pairwiseBalanced(0);
  for (const options of sample(all, amount({ inTest: 15, inProof: all.length }))) {
    const made = bundle(options, undefined, console);
    for (const { path, content, language } of made.files) {
      if (language === "yaml") expect(yamlProblems(content), path).toEqual([]);
      expect(content, path).not.toMatch(/(API_SECRET|REDIS_PASSWORD)=['"]?[A-Za-z0-9]{20}/);
    }
    expect(composeProblems(textOf(made, "docker-compose.yaml"))).toEqual([]);
    expect(caddyProblems(textOf(made, "caddy.yaml"))).toEqual([]);
    for (const program of ["livekit", "egress"] as const) {
      const text = textOf(made, `${program}.yaml`);
      if (text) expect(unknownKeys(program, options.versions[program], text)).toEqual([]);
    }
  }
});

test("each machine has all services, LiveKit on loopback alone behind its own Caddy, and shares out rooms by load", () => {
  const made = bundle(three, undefined, console);
  const { services } = parse(textOf(made, "docker-compose.yaml"));
  expect(
    Object.entries(services as Record<string, { profiles: string[] }>).map(
      ([name, { profiles }]) => [name, ...profiles],
    ),
  ).toEqual([
    ["caddy", "media"],
    ["livekit", "media"],
    ["egress", "media"],
  ]);
  for (const name of ["livekit", "egress"]) expect(services[name].extra_hosts).toBeUndefined();
  const livekit = parse(textOf(made, "livekit.yaml"));
  expect(livekit).toMatchObject({
    bind_addresses: ["127.0.0.1"],
    redis: { address: "redis.example.com:6379", tls: { enabled: true } },
    node_selector: { kind: "cpuload", sort_by: "cpuload", algorithm: "twochoice" },
    webhook: { urls: ["http://127.0.0.1:7990/events"] },
  });
  const { apps } = parse(textOf(made, "caddy.yaml"));
  expect(apps.tls).toEqual({ certificates: { load_folders: ["/data/given"] } });
});

test("the port of the balancer's check is open to the private network, and no other port of the services is", () => {
  const made = bundle(three, undefined, console);
  expect(textOf(made, "firewall-edge.nft")).toBe("");
  const lines = textOf(made, "firewall-media.nft").split("\n");
  const accepting = (port: string) => lines.filter((line) => line.includes(`dport ${port} accept`));
  expect(accepting("7994")).toEqual([
    '    iifname != "lo" ip saddr { 10.0.0.0/16 } tcp dport 7994 accept',
  ]);
  for (const closed of ["7880", "5349", "6379", "7990"]) expect(accepting(closed)).toEqual([]);
  for (const open of ["443", "7881"]) expect(accepting(open).length).toBeGreaterThan(0);
});

test("the check asks LiveKit at / alone, takes 406 as well, and says 503 while a drain goes on", () => {
  const { apps } = parse(textOf(bundle(three), "caddy.yaml"));
  const { listen, routes } = apps.http.servers.check;
  expect(listen).toEqual([":7994"]);
  const [drains, livekit, others] = routes;
  expect(drains).toMatchObject({
    match: [{ file: { root: "/etc/balancer", try_files: ["draining"] } }],
    handle: [{ status_code: 503 }],
    terminal: true,
  });
  expect(livekit).toMatchObject({
    match: [{ method: ["GET"], path: ["/"] }],
    handle: [
      {
        upstreams: [{ dial: "127.0.0.1:7880" }],
        handle_response: [
          { match: { status_code: [406] }, routes: [{ handle: [{ status_code: 200 }] }] },
        ],
      },
    ],
  });
  expect(others).toEqual({ handle: [{ handler: "static_response", status_code: 404 }] });
  const compose = parse(textOf(bundle(three), "docker-compose.yaml"));
  expect(compose.services.caddy.volumes).toContain("./state/balancer:/etc/balancer:ro");
});

test("what does not work behind a balancer is refused where it was chosen", () => {
  const refused = (more: Record<string, unknown>) =>
    parseOptions({ ...usual, ...more }).problems?.map(({ path }) => path);
  expect(refused({})).toBeUndefined();
  expect(refused({ certificates: "files" })).toBeUndefined();
  for (const [more, path] of [
    [{ redis: { kind: "bundled" } }, "redis.kind"],
    [{ certificates: "automatic" }, "certificates"],
    [{ provider: "other", addresses: "ipv6" }, "addresses"],
    [{ proxy: "existing" }, "proxy"],
    [{ secrets: "browser" }, "secrets"],
    [{ ingress: "both" }, "ingress"],
    [{ sip: { kind: "on" } }, "sip"],
    [{ monitoring: "advanced" }, "monitoring"],
    [{ versions: { livekit: "v1.9.11" } }, "versions.livekit"],
    [{ topology: { kind: "balanced", machines: 1 } }, "topology.machines"],
    [{ topology: { kind: "balanced", network: "203.0.113.0/24" } }, "topology.network"],
    [
      { provider: "aws", topology: { kind: "balanced", network: "10.0.0.0/27" } },
      "topology.network",
    ],
  ] as const)
    expect(refused(more), path).toEqual([path]);
});

test("the README says what the balancer must do, which names lead to it, and how the machines get their secrets", () => {
  const words = (more: object) =>
    textOf(bundle(optionsFrom({ ...usual, ...more })), "README.md").replaceAll(/\s+/g, " ");
  const readme = words({ provider: "hetzner" });
  expect(readme).toContain("It does not end TLS and speaks no PROXY protocol");
  expect(readme).toContain("`GET /` at port 7994");
  expect(readme).toContain("| A | the balancer's IPv4 address |");
  expect(readme).toContain("`sh cluster.sh make FIRST NODE...`");
  const start = readme.slice(readme.indexOf("## Start"), readme.indexOf("## Behind a balancer"));
  expect(start).toContain("`sh cluster.sh make FIRST NODE...`");
  expect(start).toContain("`sh cluster.sh doctor`");
  // These are of one server, whose first boot makes what all of these machines share.
  expect(start).not.toMatch(/`sudo livekit-deploy doctor`|Log in to the machine/);
  expect(readme).toContain("one name more that begins with `m-`");
  const secrets = readme.slice(readme.indexOf("## Secrets"));
  expect(secrets).toContain("`sh cluster.sh rotate api-key`");
  expect(readme, "a key of one machine alone").not.toContain("livekit-deploy rotate");
  expect(readme).not.toContain("terraform apply -var machines=false");
  for (const [provider, password] of [
    ["aws", "`export TF_VAR_redis_password=MY_PASSWORD`, which no later"],
    ["aws", "--auth-token NEW_PASSWORD --apply-immediately --auth-token-update-strategy ROTATE`"],
    ["digital-ocean", `"$(terraform output -raw redis_password)" | ssh FIRST`],
  ])
    expect(words({ provider }), provider).toContain(password);
  expect(words({ certificates: "files" })).toContain("the same files on each machine");
});
