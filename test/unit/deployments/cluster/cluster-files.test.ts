import { expect, test, vi } from "vitest";
import { parse } from "yaml";
import { machinesOf } from "~/features/deployments/bundle/options/derived-options.ts";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseClusters } from "../../../support/deployments/bundle-cases.ts";
import {
  caddyProblems,
  composeProblems,
  textOf,
  unknownKeys,
  yamlProblems,
} from "../../../support/deployments/bundle-checks.ts";
import { amount } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 180_000 });

const named = { domain: "livekit.example.com", email: "you@example.com" };
const console = { url: "https://console.example.com", token: "t".repeat(43) };
const three = optionsFrom({
  ...named,
  topology: { kind: "cluster" },
  recording: { kind: "local" },
});
const clusters = pairwiseClusters(amount({ inTest: 40, inProof: 120 })).map((options) => ({
  options,
  made: bundle(options, undefined, console),
}));

/** The lines of a firewall that accept something on this port. */
const accepting = (rules: string, port: string) =>
  rules.split("\n").filter((line) => line.includes(`dport ${port} accept`));

test("every cluster's files are right by their own schemas", () => {
  for (const { options, made } of clusters) {
    for (const { path, content, language } of made.files)
      if (language === "yaml") expect(yamlProblems(content), path).toEqual([]);
    expect(composeProblems(textOf(made, "docker-compose.yaml"))).toEqual([]);
    expect(caddyProblems(textOf(made, "caddy.yaml"))).toEqual([]);
    for (const program of ["livekit", "egress"] as const) {
      const text = textOf(made, `${program}.yaml`);
      if (text) expect(unknownKeys(program, options.versions[program], text)).toEqual([]);
    }
  }
});

test("machines for recording have Egress alone, open SSH alone, and leave the machines for calls without it", () => {
  const options = optionsFrom({
    ...{ ...named, recording: { kind: "local" } },
    topology: { kind: "cluster", machines: 2, egress: 1 },
  });
  const made = bundle(options, undefined, console);
  const { services } = parse(textOf(made, "docker-compose.yaml"));
  expect([services.livekit.profiles, services.egress.profiles]).toEqual([["media"], ["egress"]]);
  expect(services.egress.extra_hosts).toEqual([`livekit-edge:\${EDGE_ADDRESS:-127.0.0.1}`]);
  const env = textOf(made, "deployment.env");
  expect(env).toContain("MEDIA_SERVICES='livekit'\nEGRESS_MACHINES='1'\nEGRESS_SERVICES='egress'");
  const rules = textOf(made, "firewall-egress.nft").split("\n");
  const accepted = rules.filter((line) => /dport .* accept/.test(line) && !/546/.test(line));
  expect(accepted.length).toBeGreaterThan(0);
  for (const line of accepted) expect(line).toContain("tcp dport 22 accept");
  expect(machinesOf(options), "which its enrolment token lets in").toBe(4);
  const readme = textOf(made, "README.md");
  expect(readme).toContain("`sh cluster.sh make EDGE NODE-1 NODE-2 --egress EGRESS-1`");
  expect(textOf(bundle(three), "README.md")).not.toContain("--egress");
});

test("who records on a machine for calls is told of its cores, and who has machines for it only where Egress refuses", () => {
  const words = (egress: number, size: string) =>
    bundle(
      optionsFrom({
        ...{ ...named, size, recording: { kind: "local" } },
        topology: { kind: "cluster", egress },
      }),
    )
      .warnings.filter(({ path }) => path === "size" || path === "recording")
      .map(({ message }) => message);
  const [disk = ""] = words(1, "medium");
  expect(disk).toMatch(/^Recordings stay on the machine that made them\./);
  expect(words(0, "medium")).toEqual([
    "Recording a whole room takes 4 cores, and this machine has 4 for its calls as well. Choose large, or machines for recording, or record single tracks.",
    disk,
  ]);
  expect(words(1, "small")).toEqual([
    "Recording a whole room takes 4 cores, and a machine for it has 2: Egress will refuse it. Choose medium, or record single tracks.",
    disk,
  ]);
});

test("recorders join by the domain, since a machine that drains ends its LiveKit before their rooms elsewhere end", () => {
  for (const topology of [{ kind: "cluster" }, { kind: "balanced" }] as const) {
    const more =
      topology.kind === "cluster"
        ? {}
        : {
            certificates: "dns-hetzner",
            redis: { kind: "external", address: "redis.example.com:6379" },
          };
    const made = bundle(optionsFrom({ ...named, ...more, topology, recording: { kind: "local" } }));
    expect(parse(textOf(made, "egress.yaml")).ws_url, topology.kind).toBe(
      "wss://livekit.example.com",
    );
  }
});

test("each service has the profile of its role, and what is on calls' machines knows the edge by name", () => {
  const { services } = parse(textOf(bundle(three), "docker-compose.yaml"));
  const rolesOf = Object.entries(services as Record<string, { profiles: string[] }>).map(
    ([name, { profiles }]) => [name, ...profiles],
  );
  expect(rolesOf).toEqual([
    ["caddy", "edge"],
    ["livekit", "media"],
    ["redis", "edge"],
    ["egress", "media"],
  ]);
  for (const name of ["livekit", "egress"]) {
    expect(services[name].extra_hosts).toEqual([`livekit-edge:\${EDGE_ADDRESS:-127.0.0.1}`]);
    expect(services[name].depends_on, "Redis is on another machine").toBeUndefined();
  }
});

test("LiveKit takes the machine with less load of two drawn, and finds Redis on the edge", () => {
  const livekit = parse(textOf(bundle(three, undefined, console), "livekit.yaml"));
  expect(livekit.node_selector).toEqual({
    ...{ kind: "cpuload", sort_by: "cpuload", algorithm: "twochoice" },
  });
  expect(livekit.redis).toEqual({ address: "livekit-edge:6379" });
  expect(livekit.webhook.urls).toEqual(["http://livekit-edge:7990/events"]);
  expect(livekit.bind_addresses).toBeUndefined();
});

test("Redis of the edge keeps each change, and begins with a snapshot that was put there", () => {
  const made = bundle(three);
  expect(textOf(made, "redis.conf")).toContain("appendonly yes\n");
  const [, , script = ""] = parse(textOf(made, "docker-compose.yaml")).services.redis.entrypoint;
  expect(script).toMatch(
    /^\[ -e \/data\/appendonlydir \] \|\| .*cp \/data\/dump\.rdb \/data\/appendonly\.aof\nexec /,
  );
  expect(textOf(bundle(optionsFrom(named)), "redis.conf")).toContain("appendonly no\n");
});

test("people of a machine that is gone begin again soon, whether it refuses or says nothing", () => {
  const made = bundle(three);
  const { signal_relay } = parse(textOf(made, "livekit.yaml"));
  // Clients ask every five seconds: with LiveKit's own 7.5 s they are back after 12.
  expect(signal_relay).toEqual({ retry_timeout: "3s" });
  expect(textOf(made, "sysctl.conf")).toContain("net.ipv4.tcp_retries2 = 5\n");
  const one = bundle(optionsFrom(named));
  expect(parse(textOf(one, "livekit.yaml")).signal_relay).toBeUndefined();
  expect(textOf(one, "sysctl.conf")).not.toContain("tcp_retries2");
});

test("each role's firewall opens the ports of its services, and those between machines to their network alone", () => {
  for (const { options, made } of clusters) {
    if (options.topology.kind !== "cluster") throw new Error("A cluster was asked for");
    const { network } = options.topology;
    const edge = textOf(made, "firewall-edge.nft");
    const media = textOf(made, "firewall-media.nft");
    const between = (rules: string, port: string) => {
      const [line, ...more] = accepting(rules, port);
      expect(line, port).toContain(`ip saddr { ${network} } tcp`);
      expect(line, port).toContain('iifname != "lo"');
      expect(more).toEqual([]);
    };
    for (const port of ["6379", "7990"]) {
      if (port === "7990" && options.sessions === "off") continue;
      between(edge, port);
      expect(accepting(media, port)).toEqual([]);
    }
    between(media, "7880");
    expect(accepting(edge, "7880")).toEqual([]);
    expect(accepting(edge, "443").length).toBeGreaterThan(0);
    expect(accepting(media, "443").filter((line) => line.includes("tcp"))).toEqual([]);
    expect(accepting(media, "7881").length).toBeGreaterThan(0);
    expect(accepting(edge, "7881")).toEqual([]);
    expect(textOf(made, "firewall.nft")).toBe("");
  }
});

test("the scripts get services and public ports of each role", () => {
  const lines = textOf(bundle(three), "deployment.env").split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "TOPOLOGY='cluster'",
      "NETWORK='10.0.0.0/16'",
      "MACHINES='3'",
      "EDGE_SERVICES='caddy,redis'",
      "MEDIA_SERVICES='livekit,egress'",
      "EDGE_PORTS='443/tcp,80/tcp'",
      "MEDIA_PORTS='7881/tcp,3478/udp,50000-60000/udp'",
    ]),
  );
});

test("Caddy shares connections among machines that answer, by an upstream that stands for each of them", () => {
  const { apps } = parse(textOf(bundle(three), "caddy.yaml"));
  const proxies = apps.layer4.servers.main.routes.map(({ handle }: { handle: object[] }) =>
    handle.at(-1),
  );
  expect(proxies).toHaveLength(2);
  for (const [at, port] of [7880, 5349].entries())
    expect(proxies[at]).toMatchObject({
      upstreams: [{ dial: [`node:${port}`] }],
      load_balancing: { selection: { policy: "least_conn" } },
      health_checks: { active: { interval: "2s", timeout: "2s" } },
    });
});

test("no file of a cluster holds a secret but the enrolment token", () => {
  for (const { made } of clusters) {
    expect(made.files.map(({ path }) => path)).not.toContain("secrets.env");
    for (const { path, content } of made.files) {
      expect(content, path).not.toMatch(/API_SECRET=['"]?[A-Za-z0-9]{20}/);
      expect(content, path).not.toMatch(/REDIS_PASSWORD=['"]?[A-Za-z0-9]{20}/);
    }
  }
});

test("what a cluster does not have is refused where it was chosen", () => {
  const refused = (more: Record<string, unknown>) =>
    parseOptions({ ...named, topology: { kind: "cluster" }, ...more }).problems?.map(
      ({ path }) => path,
    );
  expect(refused({})).toBeUndefined();
  for (const [more, path] of [
    [{ provider: "other", addresses: "ipv6" }, "addresses"],
    [{ redis: { kind: "external", address: "10.0.0.9:6379" } }, "redis.kind"],
    [{ proxy: "existing" }, "proxy"],
    [{ versions: { livekit: "v1.9.11" } }, "versions.livekit"],
    [{ certificates: "files" }, "certificates"],
    [{ secrets: "browser" }, "secrets"],
    [{ ingress: "rtmp" }, "ingress"],
    [{ sip: { kind: "on" } }, "sip"],
    [{ agent: { kind: "image", image: "example.com/agent:1.0" } }, "agent"],
    [{ insights: { kind: "machine", days: 30, gigabytes: 20 } }, "insights"],
    [{ monitoring: "24/7" }, "monitoring"],
    [{ updates: "weekly" }, "updates"],
    [{ topology: { kind: "cluster", machines: 1 } }, "topology.machines"],
    [{ topology: { kind: "cluster", machines: 10 } }, "topology.machines"],
    [{ topology: { kind: "cluster", egress: 1 }, recording: { kind: "none" } }, "topology.egress"],
    [{ topology: { kind: "cluster", network: "203.0.113.0/24" } }, "topology.network"],
    [{ topology: { kind: "cluster", network: "10.0.0.0/29" } }, "topology.network"],
    [{ topology: { kind: "cluster", network: "0.0.0.0/0" } }, "topology.network"],
    [{ topology: { kind: "cluster", network: "fd00::/64" } }, "topology.network"],
    [{ topology: { kind: "cluster", network: "10.0.0.0/16; reboot" } }, "topology.network"],
  ] as const)
    expect(refused(more), path).toEqual([path]);
});

test("a network is written in its one form", () => {
  const made = optionsFrom({ ...named, topology: { kind: "cluster", network: "10.1.2.3/16" } });
  expect(made.topology).toEqual({
    ...{ kind: "cluster", machines: 3, network: "10.1.0.0/16", egress: 0 },
  });
});
