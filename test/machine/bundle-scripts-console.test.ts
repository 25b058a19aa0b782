import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { parseLeaving } from "~/features/servers/ingest/enrolment.server.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import {
  connect,
  machineAt,
  report,
  run,
  token,
  well,
  withKernel,
} from "../support/deployments/console-machine.ts";
import { startConsole } from "../support/deployments/console-server.ts";
import { machine, runningMachine } from "../support/deployments/machine.ts";
import { amount } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

/** The arguments and the environment of every program that runs on this system, as `ps axe` shows them to root. */
function processes(): string {
  const files = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return files
    .flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
    .map((file) => {
      try {
        return readFileSync(file, "latin1").replaceAll("\0", " ");
      } catch {
        // It has ended meanwhile, or is somebody else's.
        return "";
      }
    })
    .join("\n");
}

const bundles: Record<string, Record<string, unknown>> = {
  Hetzner: { provider: "hetzner" },
  AWS: { provider: "aws" },
  "Amazon Linux": { provider: "aws", system: "amazon-linux-2023" },
  "Azure behind a proxy": { provider: "azure", proxy: "existing" },
  "DigitalOcean with Egress": { provider: "digital-ocean", recording: { kind: "local" } },
  "Google Cloud with IPv6": { provider: "google-cloud", addresses: "dual" },
  "Vultr without backups": { provider: "vultr", backups: { frequency: "none" } },
  "Linode updated by hand": { provider: "linode", updates: "manual" },
  Oracle: { provider: "oracle" },
  "another provider": { provider: "other" },
  "a strict firewall": { firewall: { preset: "strict" }, sshSource: ["192.0.2.0/24"] },
  "one UDP port": { mediaUdp: "single" },
};

const ofMachine = (name: string, shell: "dash" | "busybox sh") =>
  [name, shell, bundles[name] ?? {}] as const;
/** Between them both systems and both shells; every bundle under both in the proof. */
const cases = amount({
  inTest: [ofMachine("DigitalOcean with Egress", "dash"), ofMachine("Amazon Linux", "busybox sh")],
  inProof: Object.keys(bundles).flatMap((name) =>
    (["dash", "busybox sh"] as const).map((shell) => ofMachine(name, shell)),
  ),
});

test.for(cases)(
  "a machine of %s connects, reports, takes a changed bundle and disconnects under %s",
  async ([, shell, typed]) => {
    await using console = await startConsole(well);
    using server = withKernel(runningMachine(typed, { url: console.url }, shell));
    server.command("sleep", "");
    for (const [component, { tag }] of Object.entries(pinned))
      server.set(`label-${component}`, tag.replace(/^v|-alpine$/g, ""));
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(console.requests).toEqual([]);

    expect(await connect(server)).toMatchObject({ status: 0 });
    expect(server.mode("opt/livekit/server.key")).toBe("600");
    const key = server.read("opt/livekit/server.key");
    expect(await report(server)).toEqual({ status: 0, output: "" });

    const changed = optionsFrom({
      domain: "livekit.example.com",
      ...typed,
      extraDomains: ["livekit.example.org"],
    });
    const { files } = bundle(changed, undefined, { url: console.url });
    server.write("new.zip", zipOf(files));
    const applied = await run(server, "livekit-deploy", ["apply", server.path("new.zip")]);
    expect(applied.output).toContain("The bundle is in use.");
    expect(server.read("opt/livekit/server.key")).toBe(key);
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(await run(server, "livekit-deploy", ["disconnect"])).toMatchObject({ status: 0 });
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(console.requests.map(({ path }) => path)).toEqual([
      "/v1/enrol",
      "/v1/report",
      "/v1/report",
      "/v1/disconnect",
    ]);

    const [introduced, reported, later] = console.requests;
    const secret = /_([A-Za-z0-9]{43})_3{16}\n$/.exec(key)?.[1] ?? "";
    expect(introduced?.credential).toBe(token);
    expect(introduced?.body).toContain(
      `key-hash ${createHash("sha256").update(secret).digest("hex")}\n`,
    );
    const [first, second] = [reported, later].map((each) => parseReport(each?.body ?? ""));
    expect(first).toMatchObject({
      ok: true,
      report: {
        seq: 1,
        instance: "i-0abc",
        load: 0.31,
        memory: { used: 2_000_000, total: 8_000_000 },
        network: { in: 700, out: 900 },
        services: expect.arrayContaining([expect.objectContaining({ name: "livekit" })]),
      },
    });
    expect(second).toMatchObject({ ok: true, report: { seq: 2 } });
    if (first?.ok && second?.ok) expect(second.report.version).not.toBe(first.report.version);
  },
);

test("a machine that leaves its cluster says so as it is disconnected", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  expect(await run(server, "console", ["disconnect", "left"])).toMatchObject({ status: 0 });
  expect(console.requests.at(-1)).toMatchObject({ path: "/v1/disconnect" });
  expect(parseLeaving(console.requests.at(-1)?.body ?? "")).toMatchObject({ left: "yes" });
});

test("a machine that is not connected makes no request", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(console.requests).toEqual([]);
  expect(await run(server, "livekit-deploy", ["disconnect"])).toEqual({
    status: 1,
    output: "This machine is not connected.\n",
  });
});

test("while the machine waits for the console, neither token nor key is in a list of processes, nor said", async () => {
  const listed: string[] = [];
  await using console = await startConsole((request) => {
    listed.push(processes());
    return well(request);
  });
  using server = machineAt(console);
  const outputs = [
    await connect(server),
    await report(server),
    await run(server, "livekit-deploy", ["disconnect"]),
  ];
  const [, secret = ""] =
    /_([A-Za-z0-9]{43})_3{16}$/.exec(console.requests[1]?.credential ?? "") ?? [];
  expect(secret).not.toBe("");
  expect(listed).toHaveLength(3);
  const everything = [...listed, server.calls(), ...outputs.map((each) => each.output)];
  for (const list of listed) expect(list).toContain(`curl -sS -K - -X POST`);
  for (const hidden of [token.slice(39, 82), secret])
    for (const text of everything) expect(text).not.toContain(hidden);
});

test("after a lost answer the machine introduces itself with the same secret", async () => {
  let lost = true;
  await using console = await startConsole((request) => {
    if (!lost) return well(request);
    lost = false;
    return "breaks-off";
  });
  using server = machineAt(console);
  const first = await connect(server);
  expect(first).toMatchObject({ status: 1 });
  expect(first.output).toContain("The console did not answer.");
  expect(await connect(server)).toMatchObject({ status: 0 });
  const [one, second] = console.requests;
  expect(second?.body).toBe(one?.body);
});

test("a login page that answers in the console's place connects nothing, takes no report and ends no key", async () => {
  const page = "<!doctype html><title>Sign in to the hotel's network</title>";
  let isAway = true;
  await using console = await startConsole((request) => (isAway ? { page } : well(request)));
  using server = machineAt(console);
  const output = expect.stringContaining("The console did not answer.");
  expect(await connect(server)).toEqual({ status: 1, output });
  expect(server.has("opt/livekit/server.key")).toBe(false);
  isAway = false;
  await connect(server);
  const key = server.read("opt/livekit/server.key");
  isAway = true;
  expect(await report(server)).toEqual({ status: 1, output });
  expect(await run(server, "livekit-deploy", ["disconnect"])).toEqual({ status: 1, output });
  expect(server.read("opt/livekit/server.key")).toBe(key);
});

test("an answer is data: a command in it is not run", async () => {
  await using console = await startConsole(() => ({
    status: 200,
    lines: ["server x", "key-prefix lkd_s_$(touch /tmp/never)_", "key-tag `id`"],
  }));
  using server = machineAt(console);
  expect(await connect(server)).toMatchObject({ status: 1 });
  expect(server.has("opt/livekit/server.key")).toBe(false);
});

test("what is no token is not sent", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  for (const typed of ["", "hello\n", "lkd_e_$(id)\n", "lkd_s_1\n"]) {
    const outcome = await run(server, "livekit-deploy", ["connect"], typed);
    expect(outcome.status, typed).toBe(1);
    expect(outcome.output, typed).toContain("Nothing was changed.");
  }
  expect(console.requests).toEqual([]);
});

test("a bundle of a site without a console says so", async () => {
  using server = machine();
  expect(server.run("livekit-deploy", ["connect"], `${token}\n`).output).toContain(
    "This bundle knows no console",
  );
});
