import { expect, test } from "vitest";
import { installedHash } from "../../../app/features/deployments/bundle/installed-hash.ts";
import type { Option } from "../../../app/features/deployments/bundle/options/option.ts";
import {
  type DeploymentOptions,
  optionTable,
} from "../../../app/features/deployments/bundle/options/options.ts";
import { parseOptions } from "../../../app/features/deployments/bundle/options/parse-options.ts";
import { changeBetween } from "../../../app/features/deployments/versions/effects.ts";
import { wordsOfTasks } from "../../../app/features/deployments/versions/task-words.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { answers } from "../../support/deployments/bundle-cases.ts";
import { sample } from "../../support/run/variants.ts";

const least = { domain: "livekit.example.com", email: "operations@example.com" };

/** Options with these answers; undefined where they contradict each other. */
function optionsWith(answers: Record<string, unknown>): DeploymentOptions | undefined {
  return parseOptions({ ...least, ...answers }).options;
}

function change(before: Record<string, unknown>, after: Record<string, unknown>) {
  const [old, now] = [optionsWith(before), optionsWith(after)];
  if (!old || !now) throw new Error("These options contradict each other");
  const [oldHash, hash] = [old, now].map((options) => installedHash(bundle(options)));
  return changeBetween(old, now, oldHash !== hash);
}

test("a version describes its choices in the words of their questions", () => {
  const { choices } = change(
    { updates: "manual", extraDomains: ["calls.example.com"] },
    { updates: "weekly", domain: "xn--mnchen-3ya.example.com" },
  );
  expect(choices.map(({ label, before, after }) => [label, before, after])).toEqual([
    ["Domain", "livekit.example.com", "münchen.example.com (xn--mnchen-3ya.example.com)"],
    ["Further domains", "calls.example.com", undefined],
    ["Update schedule", "Manual", "Weekly"],
  ]);
});

test.each<[what: string, Record<string, unknown>, Record<string, unknown>, string[], string[]]>([
  ["an update schedule", {}, { updates: "weekly" }, ["restart"], ["apply"]],
  ["a day of maintenance without updates", {}, maintained("monday"), ["nothing"], []],
  ["where secrets are made", {}, { secrets: "browser" }, ["nothing"], []],
  ["a size", {}, { size: "large" }, ["resize"], ["resize"]],
  ["a region", {}, { region: "eu-west" }, ["machine"], ["machine"]],
  [
    "a region and a size, which the new machine has at once",
    {},
    { region: "eu-west", size: "large" },
    ["machine", "resize"],
    ["machine"],
  ],
  ["who may log in", {}, { sshSource: ["198.51.100.0/24"] }, ["restart"], ["firewall", "apply"]],
  ["a domain", {}, { domain: "calls.example.org" }, ["restart"], ["dns", "other-domain", "apply"]],
  ["a domain less", { extraDomains: ["a.example.org"] }, {}, ["restart"], ["apply"]],
  [
    "recordings in a bucket of AWS",
    {},
    { recording: { kind: "s3", bucket: "calls", region: "eu-west-1" } },
    ["restart", "restart", "restart"],
    ["role", "apply"],
  ],
  [
    "one server to a cluster",
    {},
    { topology: { kind: "cluster" } },
    ["machines", "machines", "machines", "machines"],
    ["cluster", "point-dns", "old-machines"],
  ],
  [
    "a cluster to one server",
    { topology: { kind: "cluster" } },
    {},
    ["machines", "machines", "machines", "machines"],
    ["machine", "point-dns", "old-machines"],
  ],
  [
    "a machine more in a cluster",
    { topology: { kind: "cluster", machines: 3 } },
    { topology: { kind: "cluster", machines: 4 } },
    ["machines"],
    ["join", "apply"],
  ],
  [
    "a machine for recording in a cluster",
    { topology: { kind: "cluster" }, recording: { kind: "local" } },
    { topology: { kind: "cluster", egress: 1 }, recording: { kind: "local" } },
    ["machines"],
    ["join", "apply"],
  ],
  [
    "two machines less in a cluster",
    { topology: { kind: "cluster", machines: 5 } },
    { topology: { kind: "cluster", machines: 3 } },
    ["machines"],
    ["apply", "leave"],
  ],
])("what changing %s means for a server that runs", (_, before, after, effects, tasks) => {
  const found = change(before, after);
  expect(found.choices.map(({ effect }) => effect)).toEqual(effects);
  expect(found.tasks).toEqual(tasks);
});

function maintained(day: string) {
  return { maintenance: { day, hour: 3 } };
}

test("two versions with the same choices ask for nothing", () => {
  expect(change({}, {})).toEqual({ choices: [], tasks: [] });
});

test("every option that changes the machine itself says so, at each provider", () => {
  const silent = new Set<string>();
  let count = 0;
  const places = sample(["aws", "azure", "google-cloud", "hetzner", "oracle"], 3);
  for (const provider of places) {
    const before = optionsWith({ provider });
    for (const answer of Object.values(answers).flat()) {
      const after = "provider" in answer ? undefined : optionsWith({ provider, ...answer });
      if (!before || !after || machineLines(before) === machineLines(after)) continue;
      count++;
      const options: Readonly<Record<string, Option>> = optionTable;
      for (const name of Object.keys(answer)) {
        const effect = options[name]?.onRunningServer;
        if (effect !== "resize" && effect !== "machine") silent.add(name);
      }
    }
  }
  expect(count).toBeGreaterThan(4 * places.length);
  expect([...silent]).toEqual([]);
});

/** The lines of create-vm.sh that say what machine is made, and where. */
function machineLines(options: DeploymentOptions): string {
  const script = bundle(options).files.find(({ path }) => path === "create-vm.sh")?.content ?? "";
  return (
    script.match(/^(?:REGION|ZONE|SIZE|DISK_GB|IMAGE|SHAPE|ARCHITECTURE)=.*$/gm)?.join("\n") ?? ""
  );
}

test("a change to a cluster says what its machines cost, how they become one, and the way back", () => {
  const before = optionsWith({ provider: "aws" });
  const after = optionsWith({ provider: "aws", topology: { kind: "cluster" } });
  if (!before || !after) throw new Error("These options contradict each other");
  const { tasks } = changeBetween(before, after, true);
  const monthly = { small: 65.15, medium: 130.31, large: 260.61 };
  const [make, dns, old] = wordsOfTasks(tasks, before, after, "livekit.zip", monthly);
  expect(make?.detail).toContain("about $456 a month, where one server is $130");
  expect(make?.command).toBe("sh cluster.sh make --from OLD-SERVER EDGE NODE-1 NODE-2 NODE-3");
  expect(dns?.detail).toContain("A livekit.example.com, A turn.livekit.example.com");
  expect(dns?.detail).toContain("that is the way back");
  expect(old?.title).toBe("End the old server");
  // Nothing is brought to the old server by apply, whatever else changes.
  const { choices } = changeBetween(before, { ...after, extraDomains: ["b.example.com"] }, true);
  expect(new Set(choices.map(({ effect }) => effect))).toEqual(new Set(["machines"]));
  const [unpriced] = wordsOfTasks(tasks, before, after, "livekit.zip");
  expect(unpriced?.detail).not.toContain("$");
});

test("another size of a cluster is given to one machine after the other, once its calls have ended", () => {
  const cluster = { provider: "aws", topology: { kind: "cluster" } };
  const [before, after] = [optionsWith(cluster), optionsWith({ ...cluster, size: "large" })];
  if (!before || !after) throw new Error("These options contradict each other");
  const { tasks } = changeBetween(before, after, false);
  expect(tasks).toEqual(["resize"]);
  const [resize] = wordsOfTasks(tasks, before, after, "livekit.zip");
  expect(resize?.command).toBe("ssh NODE sudo systemctl stop livekit.service");
  expect(resize?.detail).toContain("waits for the calls of one, 15 minutes at most");
  expect(resize?.detail).toContain("the type c7i.2xlarge and a disk of 40 GB");
  expect(resize?.detail).toContain(
    "sh cluster.sh doctor before the next. The edge keeps its type.",
  );
});

test.each([
  ["local", /deleted at the provider, once you have copied its recordings\.$/],
  ["none", /deleted at the provider\.$/],
])("a machine that leaves with recordings that are %s", (kind, end) => {
  const [before, after] = [3, 2].map((machines) =>
    optionsWith({ topology: { kind: "cluster", machines }, recording: { kind } }),
  );
  if (!before || !after) throw new Error("These options contradict each other");
  const [leave] = wordsOfTasks(["leave"], before, after, "livekit.zip");
  expect(leave?.detail).toMatch(end);
});
