import { expect, test } from "vitest";
import {
  clusterFindings,
  findingOf,
  findings,
  outsideFindings,
} from "~/features/deployments/bundle/findings.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";

const named = { domain: "livekit.example.com", recording: { kind: "local" } };
const single = bundle(optionsFrom(named));
const cluster = bundle(optionsFrom({ ...named, topology: { kind: "cluster" } }));
const enterprise = bundle(
  optionsFrom({
    ...named,
    topology: { kind: "cluster" },
    security: "enterprise",
    backups: { frequency: "daily", ageRecipient: `age1${"q".repeat(58)}` },
    firewall: { preset: "strict" },
    sshSource: ["192.0.2.1"],
  }),
);

test("a cluster's doctor knows the findings of machines of a cluster too, and finds no other; a single server's has none of them", () => {
  const codes = [...Object.keys(findings), ...Object.keys(clusterFindings)];
  const found = (text: string) => [
    ...new Set([...text.matchAll(/\bfinding ([a-z0-9]\S*)/g)].map(([, code]) => code)),
  ];
  expect(found(textOf(cluster, "doctor.sh")).sort()).toEqual(codes.sort());
  for (const code of Object.keys(clusterFindings)) {
    expect(textOf(single, "doctor.sh")).not.toContain(code);
    expect(textOf(cluster, "doctor.sh")).toContain(`\n  ${code}) severity=`);
  }
});

test("findings of a cluster have codes, titles and next steps of their own, which the console knows", () => {
  const all = { ...findings, ...outsideFindings, ...clusterFindings };
  const codes = Object.keys(clusterFindings);
  expect(codes).toEqual([...codes].sort());
  for (const [code, finding] of Object.entries(clusterFindings)) {
    expect(code).toMatch(/^[a-z]+\.[a-z]+$/);
    expect(findingOf(code)).toEqual(finding);
    expect({ ...findings, ...outsideFindings }).not.toHaveProperty([code]);
    for (const field of ["title", "next"] as const) {
      expect(finding[field]).toMatch(/^[ -~]{10,150}[^.]$/);
      expect(finding[field].split("`").length % 2).toBe(1);
      expect(Object.values(all).filter((other) => other[field] === finding[field])).toHaveLength(1);
    }
  }
});

test("only a cluster has the scripts of roles, and it does not move in where something runs", () => {
  const paths = (made: typeof single) => made.files.map(({ path }) => path);
  const roles = ["cluster.sh", "cluster-machine.sh", "cluster.py", "livekit-cluster.service"];
  const moves = ["move-in.sh", "move-in.py"];
  expect(paths(cluster)).toEqual(expect.arrayContaining(roles));
  for (const path of roles) expect(paths(single)).not.toContain(path);
  for (const path of moves) expect(paths(cluster)).not.toContain(path);
  // It is the operator's: no machine has it.
  expect(cluster.files.find(({ path }) => path === "cluster.sh")?.installed).toBeUndefined();
});

test("the firewall's unit loads the rules of the role, those of machines for calls before there is one; LiveKit's waits for it", () => {
  const unit = textOf(cluster, "livekit-firewall.service");
  expect(unit).toMatch(
    /^Environment=COMPOSE_PROFILES=media\nEnvironmentFile=-\/opt\/livekit\/\.env$/m,
  );
  for (const line of ["ExecStart", "ExecReload"])
    expect(unit).toContain(
      `\n${line}=/usr/sbin/nft -f /etc/livekit/firewall-\${COMPOSE_PROFILES}.nft\n`,
    );
  expect(textOf(cluster, "livekit.service")).toContain("\nConditionPathExists=/opt/livekit/.env\n");
  for (const name of ["livekit-firewall.service", "livekit.service"])
    expect(textOf(single, name)).not.toMatch(/COMPOSE_PROFILES|ConditionPathExists/);
});

test("no timer reboots or updates machines of a cluster at the same hour", () => {
  const timers = enterprise.files.map(({ path }) => path).filter((path) => path.endsWith(".timer"));
  expect(timers).not.toContain("livekit-reboot.timer");
  expect(timers).not.toContain("livekit-update.timer");
});

test("the README of a cluster says how it is made, what goes to all machines, what is lost with the edge, and how to come and go back", () => {
  const readme = textOf(cluster, "README.md");
  for (const words of [
    "`sh cluster.sh make EDGE NODE-1 NODE-2 NODE-3`",
    "**It is the one point of failure.** Running calls over UDP go on. Nobody joins",
    "Redis with a password and without encryption",
    "`sh cluster.sh make --from SERVER EDGE NODE-1 NODE-2 NODE-3`",
    "The way back, until you delete it: let the DNS records lead to the server again.",
    "| `livekit.example.com` | A | the edge's IPv4 address |",
    "They are in `/opt/livekit/out` on whichever machine for calls recorded, each with its own",
    "and forgets role and secrets; it says how many recordings lie there |",
  ])
    expect(readme).toContain(words);
  for (const code of Object.keys(clusterFindings)) expect(readme).toContain(`| \`${code}\` |`);
  // What holds for a machine by itself only.
  for (const words of [
    ...["move-in.sh", "New rooms go on meanwhile", "The machine makes its secrets"],
    "livekit-deploy rotate",
  ])
    expect(readme).not.toContain(words);
  expect(textOf(single, "README.md")).not.toMatch(/cluster|the edge/i);
});

test("every command of cluster.sh that the README names is one that it has", () => {
  const usage = textOf(cluster, "cluster.sh");
  const named = [...textOf(cluster, "README.md").matchAll(/sh cluster\.sh ([a-z]+)/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, command] of named)
    expect(usage).toMatch(new RegExp(`^# sh cluster\\.sh .*\\b${command}\\b`, "m"));
});
