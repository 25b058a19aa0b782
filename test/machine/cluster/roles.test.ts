import { expect, test } from "vitest";
import {
  cluster,
  edgeAddress,
  edgeMachine,
  machineWithoutRole,
  mediaMachine,
  places,
  someSecrets,
} from "../../support/deployments/cluster/cluster-machines.ts";

const upstreams = (text: string) =>
  [...text.matchAll(/- "?([\d.a-z]+:(?:7880|5349))"?$/gm)].map(([, one]) => one);

const noNode = ["127.0.0.1:7880", "127.0.0.1:5349"];

test("a machine without a role is ready, runs nothing, has no secrets, and says what comes next", () => {
  using server = machineWithoutRole(places.one);
  expect(cluster(server)).toEqual({ status: 0, output: "none\n" });
  expect(server.has("opt/livekit/secrets.env")).toBe(false);
  expect(server.has("opt/livekit/.env")).toBe(false);
  expect(server.run("first-boot", ["--boot"]).output).toContain(
    "waits for its role in the cluster",
  );
  const doctor = server.run("livekit-deploy", ["doctor", "--quiet"]);
  expect(doctor.output).toMatch(/^WARN {2}role .*waits for its role$/m);
  expect(doctor.output).toMatch(/next: .*sh cluster\.sh make, .*\[role\.missing\]$/m);
  // Behind a balancer there is none.
  expect(doctor.output).not.toContain("EDGE");
  expect(doctor.status).toBe(1);
  expect(server.run("livekit-deploy", ["restart"]).output).toContain("no role in its cluster yet");
});

test("a machine becomes the edge at its address in the network, once and again", () => {
  using server = machineWithoutRole(places.edge);
  expect(cluster(server, "edge").output).toContain(`edge ${edgeAddress}\n`);
  expect(server.read("opt/livekit/.env")).toBe(
    `COMPOSE_PROFILES='edge'\nEDGE_ADDRESS='${edgeAddress}'\nPRIVATE_ADDRESS='${edgeAddress}'\n`,
  );
  expect(server.mode("opt/livekit/.env")).toBe("644");
  expect(server.mode("opt/livekit/secrets.env")).toBe("600");
  expect(server.calls()).toContain("systemctl reload-or-restart livekit-firewall.service\n");
  const secrets = server.read("opt/livekit/secrets.env");
  expect(secrets).toMatch(/^REDIS_PASSWORD=\S{43}$/m);
  expect([
    server.isSet("running/caddy"),
    server.isSet("running/redis"),
    server.isSet("running/livekit"),
  ]).toEqual([true, true, false]);
  // Caddy refuses a proxy without an upstream, so without a node there is one that nobody listens on.
  expect(upstreams(server.read("opt/livekit/state/edge/caddy.yaml"))).toEqual(noNode);
  expect(cluster(server, "edge", edgeAddress)).toMatchObject({ status: 0 });
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(cluster(server, "edge", "10.0.0.9")).toMatchObject({ status: 1 });
  expect(cluster(server)).toEqual({ status: 0, output: `edge ${edgeAddress}\n` });
});

test("an edge that could not fetch its images goes on with the same command", () => {
  using server = machineWithoutRole(places.edge);
  server.set("pull-fails");
  const failed = cluster(server, "edge");
  expect(failed.output).toContain("The images could not be fetched. Run this again.");
  expect(failed.status).toBe(1);
  server.unset("pull-fails");
  expect(cluster(server, "edge")).toMatchObject({ status: 0 });
  expect(server.isSet("running/redis")).toBe(true);
});

test("a machine has to have one address in the network: none, and several, are said", () => {
  using server = machineWithoutRole(places.edge);
  server.set("addresses", "2: eth0    inet 203.0.113.2/24 scope global eth0\n");
  expect(cluster(server, "edge").output).toContain("This machine has no address in 10.0.0.0/16");
  server.set(
    "addresses",
    "2: a    inet 10.0.0.2/24 scope global a\n3: b    inet 10.0.1.2/24 scope global b\n",
  );
  expect(cluster(server, "edge").output).toContain(
    "several addresses in 10.0.0.0/16: 10.0.0.2 10.0.1.2",
  );
  expect(server.has("opt/livekit/.env")).toBe(false);
  expect(cluster(server, "edge", "10.0.1.2").output).toContain("edge 10.0.1.2");
});

test("a machine joins with the edge's secrets, says its addresses, and joins again without ending a call", () => {
  using edge = edgeMachine();
  const secrets = edge.run("livekit-deploy", ["cluster", "secrets"]).output;
  expect(secrets).toBe(edge.read("opt/livekit/secrets.env"));
  using server = mediaMachine(secrets, {}, places.two);
  expect(server.read("opt/livekit/secrets.env")).toBe(secrets);
  expect(server.mode("opt/livekit/secrets.env")).toBe("600");
  expect(server.read("opt/livekit/.env")).toBe(
    `COMPOSE_PROFILES='media'\nEDGE_ADDRESS='${edgeAddress}'\nPRIVATE_ADDRESS='10.0.0.4'\n`,
  );
  // What Redis is asked with is the password alone, through the input.
  expect(server.controlContent("asked-with").trim()).toBe(
    /^REDIS_PASSWORD=(.*)$/m.exec(secrets)?.[1],
  );
  expect([
    server.isSet("running/caddy"),
    server.isSet("running/redis"),
    server.isSet("running/livekit"),
  ]).toEqual([false, false, true]);
  expect(server.calls()).toContain("systemctl enable --now livekit-cluster.service");
  server.forget();
  const again = server.run("livekit-deploy", ["cluster", "join", edgeAddress], secrets);
  expect(again.output).toContain("10.0.0.4 203.0.113.4 media-2-example-com\n");
  expect(again.status).toBe(0);
  expect(server.calls()).not.toMatch(/compose (stop|kill|up)/);
});

test("secrets that changed come with a join, and LiveKit drains before it starts with them", () => {
  using server = mediaMachine(someSecrets);
  const changed = `${someSecrets}LIVEKIT_OLD_API_KEY=APIold\nLIVEKIT_OLD_API_SECRET=${"o".repeat(43)}\n`;
  server.forget();
  expect(server.run("livekit-deploy", ["cluster", "join", edgeAddress], changed)).toMatchObject({
    status: 0,
  });
  expect(server.calls()).toMatch(/docker compose kill -s TERM livekit[\s\S]*docker compose up/);
  expect(server.controlContent("environment-livekit")).toContain("LIVEKIT_OLD_API_KEY=APIold");
  expect(server.has("opt/livekit/state/secrets-changed")).toBe(false);
});

test("secrets that were stored before LiveKit could start with them are not forgotten", () => {
  using server = mediaMachine(someSecrets);
  const changed = someSecrets.replace("s".repeat(43), "t".repeat(43));
  server.set("pull-fails");
  expect(server.run("livekit-deploy", ["cluster", "join", edgeAddress], changed)).toMatchObject({
    status: 1,
  });
  server.unset("pull-fails");
  expect(server.run("livekit-deploy", ["cluster", "join", edgeAddress], changed)).toMatchObject({
    status: 0,
  });
  expect(server.controlContent("environment-livekit")).toContain(
    `LIVEKIT_API_SECRET=${"t".repeat(43)}`,
  );
});

test("what is no secret of an edge is refused, and nothing is changed", () => {
  using server = machineWithoutRole(places.one);
  for (const [what, input] of [
    ["nothing", ""],
    ["no password", someSecrets.replace(/^REDIS.*\n/m, "")],
    ["another name", `${someSecrets}LD_PRELOAD=/tmp/x.so\n`],
    ["a line break in a value", `${someSecrets}S3_SECRET='a\nrm -rf /'\n`],
    ["a quote in a value", `${someSecrets}S3_SECRET=a'b\n`],
    ["a page of a proxy", "<html>login</html>\n"],
  ] as const) {
    const { status, output } = server.run(
      "livekit-deploy",
      ["cluster", "join", edgeAddress],
      input,
    );
    expect([what, status, output]).toEqual([
      what,
      1,
      "What came are not the secrets of an edge. Nothing was changed.\n",
    ]);
  }
  for (const [answer, words] of [
    ["silent", "Nothing answers at 10.0.0.2, port 6379."],
    ["refused", "does not take the password that came"],
  ] as const) {
    server.set("edge-redis", answer);
    expect(
      server.run("livekit-deploy", ["cluster", "join", edgeAddress], someSecrets).output,
    ).toContain(words);
  }
  expect([server.has("opt/livekit/secrets.env"), server.has("opt/livekit/.env")]).toEqual([
    false,
    false,
  ]);
});

const hostile = [
  "",
  "10.0.0",
  "10.0.0.300",
  "10.0.0.03",
  "10.1.0.3",
  "203.0.113.3",
  "::1",
  "fd00::3",
  "localhost",
  "-10.0.0.3",
  "10.0.0.3 ",
  "10.0.0.3\n10.0.0.4",
  "10.0.0.3;reboot",
  "$(reboot)",
  "../../etc",
  "10.0.0.3/16",
  "0x0a.0.0.3",
];

test("only an IPv4 address of the network is one, whoever says it", () => {
  using edge = edgeMachine();
  using server = machineWithoutRole(places.one);
  for (const address of hostile) {
    for (const attempt of [
      cluster(edge, "add", address, "203.0.113.3", "media-1"),
      cluster(edge, "remove", address),
      ...(address ? [cluster(server, "edge", address)] : []),
      server.run("livekit-deploy", ["cluster", "join", address], someSecrets),
    ])
      expect([address, attempt.status, attempt.output.trim().split("\n").length]).toEqual([
        address,
        1,
        1,
      ]);
  }
  for (const address of ["203.0.113.300", "203.0.113.3 x", "$(reboot)", "-x", ""])
    expect(cluster(edge, "add", "10.0.0.3", address, "media-1")).toMatchObject({ status: 1 });
  for (const name of ["", "-o", "Media", "a b", "a\nb", "a;reboot", "é", "n".repeat(64)])
    expect(cluster(edge, "add", "10.0.0.3", "203.0.113.3", name)).toMatchObject({ status: 1 });
  expect(cluster(edge, "add", edgeAddress, "203.0.113.3", "media-1").output).toContain(
    "is the edge itself",
  );
  expect(cluster(edge, "nodes")).toEqual({ status: 0, output: "" });
  expect(server.has("opt/livekit/.env")).toBe(false);
});

test("a node is added and removed once and again; Caddy takes each list without a stop, by a signal from within", () => {
  using edge = edgeMachine();
  edge.forget();
  for (const line of [
    "10.0.0.4 203.0.113.4 two",
    "10.0.0.3 203.0.113.3 one",
    "10.0.0.3 203.0.113.3 one",
  ])
    expect(cluster(edge, "add", ...line.split(" "))).toMatchObject({ status: 0 });
  expect(cluster(edge, "nodes").output).toBe(
    "10.0.0.3 203.0.113.3 one\n10.0.0.4 203.0.113.4 two\n",
  );
  const rendered = edge.read("opt/livekit/state/edge/caddy.yaml");
  expect(upstreams(rendered)).toEqual([
    "10.0.0.3:7880",
    "10.0.0.4:7880",
    "10.0.0.3:5349",
    "10.0.0.4:5349",
  ]);
  // Each has an upstream of its own: two addresses in one would get every byte both.
  expect(rendered.match(/- dial:/g)).toHaveLength(4);
  expect(edge.controlContent("caddy-reads")).toBe(rendered);
  expect(edge.calls()).not.toMatch(/compose (stop|restart|up|kill)/);
  // A new address of a machine takes the place of the former one.
  cluster(edge, "add", "10.0.0.3", "203.0.113.33", "one");
  for (let time = 0; time < 2; time++)
    expect(cluster(edge, "remove", "10.0.0.4")).toMatchObject({ status: 0 });
  expect(cluster(edge, "nodes").output).toBe("10.0.0.3 203.0.113.33 one\n");
  expect(upstreams(edge.controlContent("caddy-reads"))).toEqual(["10.0.0.3:7880", "10.0.0.3:5349"]);
  cluster(edge, "remove", "10.0.0.3");
  expect(upstreams(edge.controlContent("caddy-reads"))).toEqual(noNode);
});

test("a list that Caddy did not take is brought to it by the same command, and before every start", () => {
  using edge = edgeMachine();
  edge.set("caddy-ignores");
  expect(cluster(edge, "add", "10.0.0.3", "203.0.113.3", "one").output).toContain(
    "Run this again.",
  );
  edge.unset("caddy-ignores");
  expect(cluster(edge, "add", "10.0.0.3", "203.0.113.3", "one")).toMatchObject({ status: 0 });
  expect(upstreams(edge.controlContent("caddy-reads"))).toEqual(["10.0.0.3:7880", "10.0.0.3:5349"]);
  edge.write("opt/livekit/state/edge/caddy.yaml", "damaged\n");
  expect(edge.run("before-start")).toMatchObject({ status: 0 });
  expect(upstreams(edge.read("opt/livekit/state/edge/caddy.yaml"))).toHaveLength(2);
});

test("a machine for calls leaves: it drains, stops, and has neither role nor secrets; twice is once", () => {
  using server = mediaMachine(someSecrets);
  server.forget();
  expect(cluster(server, "leave")).toMatchObject({ status: 0 });
  expect(server.calls()).toMatch(/compose kill -s TERM livekit[\s\S]*compose down/);
  for (const gone of ["secrets.env", ".env"]) expect(server.has(`opt/livekit/${gone}`)).toBe(false);
  expect(cluster(server)).toEqual({ status: 0, output: "none\n" });
  expect(cluster(server, "leave")).toEqual({
    status: 0,
    output: "This machine has no role in a cluster.\n",
  });
  // It can join again.
  expect(server.run("livekit-deploy", ["cluster", "join", edgeAddress], someSecrets)).toMatchObject(
    { status: 0 },
  );
});

test("a machine that leaves has no secret of any kind; backups and recordings stay, and are named", () => {
  using edge = edgeMachine();
  const secret = ["dns.env", "backup-keys.env", "data/caddy/given/certificate.pem"];
  for (const path of secret) edge.write(`opt/livekit/${path}`, "secret\n");
  edge.run("livekit-deploy", ["rotate", "redis"]);
  expect(cluster(edge, "leave").output).toContain(
    "and no secrets. It can join a cluster, or be deleted.\n",
  );
  for (const path of [...secret, "data/redis/rotation.conf"])
    expect(edge.has(`opt/livekit/${path}`)).toBe(false);
  using server = mediaMachine(someSecrets);
  server.write("var/backups/livekit/livekit-by-hand-20261129T000000Z.tar.gz", "");
  for (const name of ["a.mp4", "lessons/b.mp4"]) server.write(`opt/livekit/out/${name}`, "video");
  const { status, output } = cluster(server, "leave");
  expect(output).toContain(
    "and no secrets but those in its backups: 1 in /var/backups/livekit. It can join a cluster. Before you delete it, copy what it has recorded: 2 files in /opt/livekit/out.\n",
  );
  expect(status).toBe(0);
  expect(server.has("opt/livekit/out/a.mp4")).toBe(true);
});

test("the edge goes last", () => {
  using edge = edgeMachine();
  cluster(edge, "add", "10.0.0.3", "203.0.113.3", "one");
  expect(cluster(edge, "leave").output).toContain(
    "The edge goes last: other machines are in its list.",
  );
  cluster(edge, "remove", "10.0.0.3");
  expect(cluster(edge, "leave")).toMatchObject({ status: 0 });
  expect([edge.has("opt/livekit/.env"), edge.has("opt/livekit/secrets.env")]).toEqual([
    false,
    false,
  ]);
});

test("each role has its own commands, and the other refuses them with the next step", () => {
  using edge = edgeMachine();
  using media = mediaMachine(someSecrets);
  expect(cluster(media, "edge").output).toContain("First: sudo livekit-deploy cluster leave.");
  for (const command of [
    ["secrets"],
    ["nodes"],
    ["add", "10.0.0.3", "-", "one"],
    ["remove", "10.0.0.3"],
  ])
    expect(cluster(media, ...command)).toEqual({
      status: 1,
      output: "This machine is not the edge of a cluster. Nothing was changed.\n",
    });
  expect(edge.run("livekit-deploy", ["cluster", "join", "10.0.0.3"], someSecrets).output).toContain(
    "This machine is the edge",
  );
  for (const command of [
    ["rotate", "api-key"],
    ["rotate", "redis"],
    ["set", "storage-keys"],
  ])
    expect(media.run("livekit-deploy", command)).toMatchObject({
      status: 1,
      output: expect.stringContaining("This machine has copies of the cluster's secrets"),
    });
  for (const server of [edge, media])
    expect(
      server.run("livekit-deploy", ["webhook", "add", "https://example.com"]).output,
    ).toContain("sh cluster.sh apply");
  expect(media.run("livekit-deploy", ["restore", "x.tar.gz"]).output).toContain(
    "Only the edge of a cluster has something to restore",
  );
  expect(media.run("livekit-deploy", ["backup"])).toMatchObject({
    status: 1,
    output: expect.stringContaining("made on its edge"),
  });
  expect(media.run("backup")).toMatchObject({ status: 0 });
  expect(edge.run("livekit-deploy", ["backup"])).toMatchObject({ status: 0 });
  expect(cluster(media, "reboot")).toMatchObject({ status: 64 });
});
