import { expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { recommendedVersions } from "~/features/servers/state/advisory-findings.ts";
import { connect, report, run, well, withKernel } from "../support/deployments/console-machine.ts";
import { type ConsoleRequest, startConsole } from "../support/deployments/console-server.ts";
import { type Machine, runningMachine } from "../support/deployments/machine.ts";

vi.setConfig({ testTimeout: 60_000 });

/** The console with the table of its own release. */
const console = () =>
  startConsole((request: ConsoleRequest) => {
    const answer = well(request);
    const read = parseReport(request.body);
    const recommended = read.ok ? recommendedVersions(read.report) : "";
    return {
      ...answer,
      lines: [...answer.lines, ...(recommended ? [`recommended ${recommended}`] : [])],
    };
  });

const options = {
  versions: { livekit: "v1.13.5" },
  backups: { frequency: "daily", target: { kind: "s3", bucket: "backups", region: "eu-west-1" } },
};

/** A machine whose files were made before anything was known of their versions. */
function olderMachine(url: string): Machine {
  const server = withKernel(runningMachine(options, { url }));
  const file = "opt/livekit/deployment.env";
  const text = server.read(file).replace(/^KNOWN_BAD=.*$/m, "KNOWN_BAD=''");
  server.write(file, text.replace(/^(RCLONE_IMAGE=.*):.*$/m, "$1:1.74.4'"));
  return server;
}

const affected = (server: Machine) =>
  server
    .run("doctor", ["--report"])
    .output.split("\n")
    .filter((line) => /\.affected\t/.test(line));

test("an advisory of the console becomes a finding of the doctor, and an update to what it recommends ends it", async () => {
  await using answering = await console();
  using server = olderMachine(answering.url);
  expect(affected(server)).toEqual([]);
  await connect(server);
  server.run("health");
  await report(server);
  expect(affected(server)).toEqual([
    "version.affected\twarning\tlivekit\tv1.13.5 runs, which has a known fault\tlivekit=v1.13.11",
    "files.affected\twarning\trclone\t1.74.4, which has a known fault\t",
  ]);
  expect(server.run("doctor", ["--quiet"]).output).toContain(
    "next: sudo livekit-deploy update --to livekit=v1.13.11, with the tag of a newer version",
  );
  expect((await run(server, "update", ["--to", "livekit=v1.13.11"])).status).toBe(0);
  expect(affected(server).join()).not.toContain("livekit");
  await report(server);
  expect(server.read("opt/livekit/state/recommended")).toBe("rclone:1.74.4=1.76.0\n");
});

test("a report says what runs behind a tag that moves, and whether TURN is on", async () => {
  await using answering = await console();
  using server = withKernel(runningMachine({ updates: "weekly" }, { url: answering.url }));
  server.set("label-livekit", "1.13.9");
  await connect(server);
  server.run("health");
  await report(server);
  const read = parseReport(answering.requests.at(-1)?.body ?? "");
  expect(read).toMatchObject({
    ok: true,
    report: { turn: true, releases: [{ name: "livekit", version: "v1.13.9" }] },
  });
  expect(server.read("opt/livekit/state/recommended")).toBe("livekit:v1.13.9=v1.13\n");
  // A tag that moves is what this service is to go on with.
  expect(server.run("update", ["--to", "livekit=v1.13"])).toMatchObject({ status: 0 });
  expect(server.controlContent("running/livekit")).toContain(":v1.13 ");
});

test("nothing of a recommendation that is no list of versions is kept", async () => {
  await using answering = await startConsole((request) => ({
    status: 200,
    lines: [...well(request).lines, "recommended livekit:$(id)=v2;reboot"],
  }));
  using server = withKernel(runningMachine({}, { url: answering.url }));
  await connect(server);
  await report(server);
  expect(server.has("opt/livekit/state/recommended")).toBe(false);
});
