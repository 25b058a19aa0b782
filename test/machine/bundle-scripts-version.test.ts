import { expect, test, vi } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { writeKernel } from "../../fakes/machine/machine-folder.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../support/deployments/bundle-cases.ts";
import { startConsole } from "../support/deployments/console-server.ts";
import { type Machine, runningMachine } from "../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

const deployment = "44444444-4444-4444-8444-444444444444";
const [fleet, server] = ["0".repeat(32), "1".repeat(32)];
const token = `lkd_e_${fleet}_${"A".repeat(43)}_${"2".repeat(16)}`;

/** A console that takes whatever a machine says. */
const takesAll = () =>
  startConsole(({ path, body }) => ({
    status: 200,
    lines:
      path === "/v1/enrol"
        ? [`server ${server}`, `key-prefix lkd_s_${fleet}_${server}_`, `key-tag ${"3".repeat(16)}`]
        : [`taken ${/^seq\t(\d+)$/m.exec(body)?.[1]}`],
  }));

type Console = Awaited<ReturnType<typeof takesAll>>;

/** A connected machine that runs version 1 with these choices. */
async function connected(console: Console, typed: Record<string, unknown> = {}): Promise<Machine> {
  const connection = { url: console.url, version: { deployment, number: 1 } };
  const made = runningMachine(typed, connection);
  writeKernel(made, {
    machineId: "0123456789abcdef0123456789abcdef",
    bootId: "11111111-1111-4111-8111-111111111111",
  });
  made.write("var/lib/cloud/data/instance-id", "i-0abc\n");
  made.command("sleep", "");
  for (const [component, { tag }] of Object.entries(pinned))
    made.set(`label-${component}`, tag.replace(/^v|-alpine$/g, ""));
  await run(made, "livekit-deploy", ["connect"], `${token}\n`);
  return made;
}

function run(made: Machine, name: string, args: string[], input = "") {
  return new Promise<string>((resolve) => {
    const child = made.start(name, args);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => (output += text));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("close", () => resolve(output));
  });
}

/** Which version the machine says that it runs, in a report of now. */
async function reportedVersion(made: Machine, console: Console) {
  expect(await run(made, "console", ["report"])).toBe("");
  const read = parseReport(console.requests.at(-1)?.body ?? "");
  return read.ok ? read.report.madeFrom : `line ${read.line} cannot be read`;
}

/** The zip of a version, as it is downloaded. */
function zipOfVersion(number: number, typed: Record<string, unknown>, { url }: Console) {
  const options = optionsFrom({ domain: "livekit.example.com", ...typed });
  return zipOf(bundle(options, undefined, { url, version: { deployment, number } }).files);
}

test("a machine says which version it runs, also after it took another one that has fewer files", async () => {
  await using console = await takesAll();
  using made = await connected(console, { recording: { kind: "local" } });
  expect(await reportedVersion(made, console)).toEqual({
    deployment,
    version: 1,
    isChanged: false,
  });
  made.write("new.zip", zipOfVersion(2, {}, console));
  expect(await run(made, "livekit-deploy", ["apply", made.path("new.zip")])).toContain(
    "The bundle is in use.",
  );
  expect(await reportedVersion(made, console)).toEqual({
    deployment,
    version: 2,
    isChanged: false,
  });
});

test("a machine on which somebody changed a file says so, until it is as it was", async () => {
  await using console = await takesAll();
  using made = await connected(console);
  for (const path of [
    "opt/livekit/livekit.yaml",
    "opt/livekit/bin/doctor.sh",
    "opt/livekit/deployment.env",
    "etc/livekit/firewall.nft",
    "etc/systemd/system/livekit.service",
  ]) {
    const before = made.read(path);
    made.write(path, `${before}# by hand\n`);
    expect(await reportedVersion(made, console), path).toEqual({
      deployment,
      version: 1,
      isChanged: true,
    });
    made.write(path, before);
    expect(await reportedVersion(made, console), path).toMatchObject({ isChanged: false });
  }
});

test("secrets, an agent's settings and Docker's own are the machine's, and change no version", async () => {
  await using console = await takesAll();
  using made = await connected(console);
  for (const path of ["opt/livekit/secrets.env", "etc/docker/daemon.json"])
    made.write(path, `${made.read(path)}\n`);
  made.write("opt/livekit/livekit.yaml.old", "by hand\n");
  expect(await reportedVersion(made, console)).toMatchObject({ isChanged: false });
});

test("a missing file counts as a change, an unreadable version.txt as no version, and both are reported", async () => {
  await using console = await takesAll();
  using made = await connected(console);
  const list = made.read("opt/livekit/version.txt");
  made.write("opt/livekit/version.txt", list.replace("opt/livekit/livekit.yaml", "opt/livekit/x"));
  expect(await reportedVersion(made, console)).toMatchObject({ version: 1, isChanged: true });
  made.write("opt/livekit/version.txt", "something else\n");
  expect(await reportedVersion(made, console)).toBeUndefined();
});

test("files that are of no saved version say none", () => {
  const { files } = bundle(optionsFrom({ domain: "livekit.example.com" }), undefined, {
    url: "https://servers.example.com",
  });
  expect(files.map(({ path }) => path)).not.toContain("version.txt");
});

test("of every combination of choices the version stands for each file of ours on the machine, and for nothing secret", () => {
  const version = { deployment, number: 7 };
  for (const options of pairwiseOptions(0)) {
    const connection = { url: "https://servers.example.com", token, version };
    const { files } = bundle(options, undefined, connection);
    const list = files.find(({ path }) => path === "version.txt")?.content ?? "";
    const [first, ...paths] = list.trimEnd().split("\n");
    expect(first).toMatch(new RegExp(`^${deployment} 7 [0-9a-f]{64}$`));
    expect(paths).toContain("opt/livekit/docker-compose.yaml");
    expect(paths.join()).not.toMatch(/secrets|enrolment-token|version\.txt|docker\/daemon/);
    const cloudInit = files.find(({ path }) => path === "cloud-init.yaml")?.content;
    expect(cloudInit).toContain(first);
  }
});
