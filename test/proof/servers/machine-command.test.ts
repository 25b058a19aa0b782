import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { testInProof } from "../../support/run/variants.ts";
import { machineCommands } from "../../support/servers/machine-command.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { newWorkspace } from "../../support/workspaces/workspaces.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

/** Where machines find the console of this file's site. */
const consoleUrl = () => worker.url.replace("127.0.0.1", "servers.localhost");

/** A workspace of the test's own, with a token for one machine. */
async function newFleet(workspace: string = crypto.randomUUID()) {
  const fleets = await worker.fleets();
  const deployment = crypto.randomUUID();
  const { token } = await fleets.makeToken({
    workspace,
    deployment,
    uses: 1,
    hours: 72,
  });
  const server = async () => {
    const [only] = (await fleets.overview(workspace)).servers;
    return only && fleets.server(workspace, only.id);
  };
  return { fleets, workspace, token, server };
}

/** Every argument of every program that runs, as `ps` shows them. */
function processes(): string {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(join("/proc", pid, "cmdline"), "latin1");
      } catch {
        return "";
      }
    })
    .join("\n");
}

test("npm run machine boots a zip: it reports each stage, people are in calls, and Ctrl-C reports a stop", async () => {
  await using commands = machineCommands();
  const { token, server } = await newFleet();
  const run = commands.start([commands.zip(consoleUrl(), token), "--fast", "--name", "first"]);
  let listed = "";
  const watch = setInterval(() => {
    listed += processes();
  }, 100);
  await run.until("Ctrl-C switches it off");
  clearInterval(watch);
  const stages = ["connected", "secrets", "packages", "tools", "images", "services", "ready"];
  const positions = stages.map((stage) => run.output.indexOf(`  ${stage}\n`));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  const view = await server();
  expect(view?.stages.map(({ code }) => code)).toEqual(stages);
  expect(view).toMatchObject({ name: "first", state: { code: "healthy" }, findings: [] });
  expect(view?.participants).toBeGreaterThan(0);
  expect(view?.services.map(({ name }) => name)).toContain("livekit");
  expect(view?.certificates.length).toBeGreaterThan(0);

  const key = readFileSync(
    join(commands.machines, "first/root/opt/livekit/server.key"),
    "utf8",
  ).trim();
  // Lines of both Workers.
  const logs = JSON.stringify(worker.takeLogs());
  for (const secret of [token.slice(39, 82), key.slice(72, 115)]) {
    expect(logs).not.toContain(secret);
    expect(listed).not.toContain(secret);
    expect(run.output).not.toContain(secret);
  }
  expect(listed).toContain("console.sh");
  expect(await run.end()).toBe(0);
  expect((await server())?.lastReportAt).toBeGreaterThan(view?.lastReportAt ?? Infinity);
  expect(readdirSync(join(commands.machines, "first"))).not.toContain("pid");
});

testInProof(
  "the address that a machine prints is that of its server, in the workspace that it was connected to",
  async () => {
    await using commands = machineCommands();
    const { browser, email } = await serverCustomer(worker, "pro");
    const team = await newWorkspace(email, `team-${crypto.randomUUID().slice(0, 8)}`);
    const { token, server } = await newFleet(team.id);
    const run = commands.start([commands.zip(consoleUrl(), token), "--fast"]);
    await run.until("Ctrl-C switches it off");
    const [, path = "none"] = /Its page: http:\/\/[^/]+(\S+)/.exec(run.output) ?? [];
    const page = await browser.request(path);
    expect(page.status).toBe(200);
    expect(textOfHtml(await page.text())).toContain((await server())?.name);
  },
);

testInProof(
  "a machine is started again as the same server, is listed, and is forgotten with its folder",
  async () => {
    await using commands = machineCommands();
    const { fleets, workspace, token, server } = await newFleet();
    const first = commands.start([commands.zip(consoleUrl(), token), "--fast"]);
    await first.until("Ctrl-C switches it off");
    await first.end();
    const again = commands.start([]);
    await again.until("Ctrl-C switches it off");
    const duplicate = commands.start(["--name", "machine-1"]);
    expect(await duplicate.exited).toBe(1);
    expect(duplicate.output).toContain("machine-1 runs already, in another terminal");
    const list = commands.start(["--list"]);
    expect(await list.exited).toBe(0);
    expect(list.output).toMatch(/machine-1 +runs +livekit\.example\.com, at http/);
    await again.end();
    expect((await fleets.overview(workspace)).servers).toHaveLength(1);
    expect((await server())?.changes.map(({ code }) => code)).toContain("boot");

    const forgotten = commands.start(["--forget", "machine-1"]);
    expect(await forgotten.exited).toBe(0);
    expect(forgotten.output).toContain("Disconnected");
    expect(await server()).toMatchObject({ state: { code: "retired" } });
    expect(readdirSync(commands.machines)).toEqual([]);
  },
);

testInProof.for([
  ["disk-full", { code: "degraded", finding: "disk.full" }],
  ["certificate", { code: "degraded", finding: "cert.ending" }],
] as const)(
  "with --fault %s the server is degraded, and healthy when it is started again",
  async ([fault, state]) => {
    await using commands = machineCommands();
    const { token, server } = await newFleet();
    const run = commands.start([commands.zip(consoleUrl(), token), "--fast", "--fault", fault]);
    await run.until("Ctrl-C switches it off");
    expect(await server()).toMatchObject({ state });
    await run.end();
    const again = commands.start([]);
    await again.until("Ctrl-C switches it off");
    expect(await server()).toMatchObject({ state: { code: "healthy" } });
  },
);

testInProof(
  "with --fault update the server updates, runs another LiveKit and boots again",
  async () => {
    await using commands = machineCommands();
    const { token, server } = await newFleet();
    const run = commands.start([commands.zip(consoleUrl(), token), "--fault", "update"]);
    await run.until("it is being updated");
    expect(await server()).toMatchObject({ state: { code: "updating" } });
    await run.until("Ctrl-C switches it off");
    const view = await server();
    expect(view).toMatchObject({ state: { code: "healthy" } });
    const changes = view?.changes ?? [];
    expect(changes.map(({ code }) => code)).toEqual(expect.arrayContaining(["boot", "version"]));
    const image = changes.find(({ code, subject }) => code === "service" && subject === "livekit");
    expect(image?.from).not.toBe(image?.to);
  },
);

testInProof(
  "with --fault silent the server falls silent while its machine stands, and comes back",
  async () => {
    await using commands = machineCommands();
    const { workspace, token, server } = await newFleet();
    const args = ["--fast", "--every", "1", "--fault", "silent"];
    const run = commands.start([commands.zip(consoleUrl(), token), ...args]);
    await run.until("Ctrl-C switches it off");
    await worker.moveFleetClock(workspace, 4 * 60_000);
    expect((await server())?.state.code).toMatch(/^(silent|down)$/);
    await run.end();
    expect((await server())?.state.code).toMatch(/^(silent|down)$/);
    const again = commands.start([]);
    await again.until("Ctrl-C switches it off");
    expect(await server()).toMatchObject({ state: { code: "healthy" } });
  },
);

testInProof(
  "with --fault clone the copy asks for the server's place, says who allows it, and gets it",
  async () => {
    await using commands = machineCommands();
    const { fleets, workspace, token, server } = await newFleet();
    const args = ["--fast", "--every", "2", "--fault", "clone"];
    const run = commands.start([commands.zip(consoleUrl(), token), ...args]);
    await run.until("Allow this one on the server's page");
    const listed = await server();
    expect(listed?.request?.instance).toMatch(/^i-/);
    expect(run.output).toContain(listed?.request?.instance ?? "nobody");
    await fleets.answerRequest(workspace, listed?.id ?? "", true, listed?.request?.at ?? 0);
    await run.until("it has the server's place now");
    expect((await fleets.overview(workspace)).servers).toHaveLength(1);
    expect((await server())?.changes.map(({ code }) => code)).toContain("machine");
  },
);

testInProof(
  "--count makes a fleet with one token, which is the same fleet at the next start",
  async () => {
    await using commands = machineCommands();
    await resetFakes();
    const { workspace, askForToken } = await serverCustomer(worker, "pro");
    const fleets = await worker.fleets();
    const { token } = await askForToken("4");
    const zip = commands.zip(consoleUrl(), token);
    const args = ["--fast", "--count", "4", "--name", "fleet"];
    const many = commands.start([zip, ...args]);
    await many.until("4 machines report");
    await many.end();
    const views = (await fleets.overview(workspace)).servers;
    expect(views.map(({ name }) => name).sort()).toEqual([
      "fleet",
      "fleet-2",
      "fleet-3",
      "fleet-4",
    ]);
    expect(views.map(({ state }) => state.code)).toEqual(Array(4).fill("healthy"));
    const again = commands.start(["--name", "fleet"]);
    await again.until("4 machines report");
    expect((await fleets.overview(workspace)).servers).toHaveLength(4);
  },
);

testInProof(
  "--token where no site runs says what to start and how to name its ports, and leaves no machine",
  async () => {
    await using commands = machineCommands();
    const { token } = await newFleet();
    const run = commands.start(["--token", "--fast"], token);
    expect(await run.exited).toBe(1);
    expect(run.output).toContain("Run npm start or npm run dev in another terminal first.");
    expect(run.output).toMatch(/name them: PORT=… LOCAL_PORT_BASE=… npm run machine$/m);
    expect(existsSync(commands.machines)).toBe(false);
  },
);

testInProof(
  "a used, a foreign and a missing token are answered with what to do, and leave no machine",
  async () => {
    await using commands = machineCommands();
    const { token } = await newFleet();
    const first = commands.start([commands.zip(consoleUrl(), token), "--fast", "--name", "one"]);
    await first.until("Ctrl-C switches it off");
    const resultOf = async (args: readonly string[]) => {
      const run = commands.start(args);
      return { code: await run.exited, output: run.output };
    };
    const used = await resultOf([commands.zip(consoleUrl(), token), "--fast", "--name", "two"]);
    expect(used.code).toBe(1);
    expect(used.output).toContain("This token was used by as many machines as it is for.");
    expect(used.output).toContain("On the deployment's page");
    const none = await resultOf([commands.zip(consoleUrl())]);
    expect(none).toMatchObject({ code: 1, output: expect.stringContaining("has no token") });
    const real = await resultOf([commands.zip("https://servers.livekit-deploy.example", token)]);
    expect(real).toMatchObject({
      code: 1,
      output: expect.stringContaining("works with a site on this machine only"),
    });
    const silent = await resultOf([commands.zip("http://servers.localhost:9", token)]);
    expect(silent).toMatchObject({ code: 1, output: expect.stringContaining("Run npm start") });
    expect(await resultOf([token])).toMatchObject({
      code: 2,
      output: expect.stringContaining("A token is no argument"),
    });
    expect(readdirSync(commands.machines)).toEqual(["one"]);
  },
);

testInProof(
  "a server that was disconnected in the console ends its machine with the console's sentence",
  async () => {
    await using commands = machineCommands();
    const { fleets, workspace, token, server } = await newFleet();
    const run = commands.start([commands.zip(consoleUrl(), token), "--fast", "--every", "1"]);
    await run.until("Ctrl-C switches it off");
    await fleets.retire(workspace, (await server())?.id ?? "");
    expect(await run.exited).toBe(1);
    expect(run.output).toContain("This server was disconnected.");
    expect(run.output).toContain("npm run machine -- --forget machine-1");
  },
);

testInProof(
  "without a machine three lines say how to boot one, and a wrong call says what is wrong",
  async () => {
    await using commands = machineCommands();
    const nothing = commands.start([]);
    expect(await nothing.exited).toBe(1);
    expect(nothing.output.match(/^ {2}\d\. /gm)).toHaveLength(3);
    const help = commands.start(["--help"]);
    expect(await help.exited).toBe(0);
    for (const fault of ["disk-full", "silent", "certificate", "update", "clone"]) {
      expect(help.output).toContain(fault);
    }
    for (const args of [["--fault", "flood"], ["--count", "0"], ["absent.zip"], ["--colour"]]) {
      const wrong = commands.start(args);
      expect([args, await wrong.exited]).toEqual([args, 2]);
    }
  },
);
