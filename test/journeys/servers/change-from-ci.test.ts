import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { machineSteps } from "../../../app/features/servers/rollouts/rollout.ts";
import { ApiClient, newApiToken } from "../../support/api/api-client.ts";
import { CommandLine } from "../../support/api/command-line.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { documentedCalls, runCall } from "../../support/api/documented-calls.ts";
import { personalWorkspaceOf } from "../../support/database/database.ts";
import { passkeyTeam } from "../../support/rollouts/passkey-team.ts";
import { see } from "../../support/screens/screen.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { pollUntil } from "../../support/site/poll.ts";

beforeEach(resetFakes);

/** A team whose server runs version 1 and takes up what its passkey approves, and CI with a token of the team. */
async function changeScene() {
  await using started = new AsyncDisposableStack();
  const team = started.use(await passkeyTeam("ada@example.com"));
  const { siteUrl, userId, deployment, person } = team;
  await person.visit("/dashboard/approvers");
  await team.addPasskey("Ada’s laptop");
  const { machine } = await team.connectMachine();
  await machine.reportVersion(1);
  const workspace = await personalWorkspaceOf(userId);
  const token = await newApiToken(userId, workspace, ["deployments:write", "servers:write"]);
  const client = new ApiClient(await DescribedApi.served(siteUrl), token, siteUrl);
  const place = { siteUrl, token, deployment, server: machine.server };
  const open = started.move();
  return {
    ...{ place, person },
    /** What has been requested for the server, the newest first: version and state of each. */
    async rollouts(): Promise<[number, string][]> {
      const { value } = await client.get(`/servers/${machine.server}/rollouts`);
      return Object(value).items.map(({ version, state }: { version: number; state: string }) => [
        version,
        state,
      ]);
    },
    async newestVersion(): Promise<unknown> {
      return Object((await client.get(`/deployments/${deployment}`)).value).version;
    },
    /** Somebody approves the version on the server's page; until then the machine hears of none. */
    async approve(running: number): Promise<void> {
      await person.visit(`/dashboard/servers/${machine.server}`);
      await see(person, "0 of 1 approved it");
      expect((await machine.reportVersion(running)).lines).not.toHaveProperty("rollout");
      await person.page.getByRole("button", { name: "Approve with passkey" }).click();
      await see(person, "Approved, waits for the server");
    },
    /** The machine hears of the version with its next report, verifies whose approval it is, and takes it up. */
    async takeUp(version: number): Promise<void> {
      const order = await machine.reportVersion(version - 1);
      const { rollout = "" } = order.lines;
      expect(machine.verifies(order)).toBe(true);
      expect((await machine.rolloutFiles(rollout)).status).toBe(200);
      for (const step of machineSteps.slice(0, machineSteps.indexOf("proved") + 1))
        expect((await machine.rolloutStep(rollout, step)).status).toBe(200);
      await machine.reportVersion(version);
      await see(person, "This server runs the newest version.");
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

type Place = Awaited<ReturnType<typeof changeScene>>["place"];

/** The command line as a job of CI has it: what a line wrote, and how it ended. */
async function commandLineAt({ siteUrl, token, deployment, server }: Place) {
  const commandLine = await CommandLine.compiled();
  onTestFinished(() => commandLine.remove());
  const environment = { LIVEKIT_DEPLOY_URL: siteUrl, LIVEKIT_DEPLOY_TOKEN: token };
  const of = ["--deployment", deployment];
  const file = "livekit.json";
  return {
    /** The saved options are put into the repository. */
    async begin(): Promise<void> {
      const { status, out } = await commandLine.run(["options", ...of], environment);
      expect(status).toBe(0);
      commandLine.write(file, out);
    },
    /** Somebody changes an option in the repository's file. */
    change(change: object): void {
      const options = JSON.parse(readFileSync(join(commandLine.folder, file), "utf8"));
      commandLine.write(file, { ...options, ...change });
    },
    diff: () => commandLine.run(["diff", file, ...of], environment),
    apply: () => commandLine.run(["apply", file, ...of, "--server", server], environment),
    wait: (version: number) =>
      commandLine.start(
        ["wait", "--healthy", "--server", server, "--version", `${version}`, "--timeout", "4m"],
        environment,
      ),
  };
}

test("an option in git is changed by CI with the command line, approved with a passkey and waited for, then one with curl; the same twice changes nothing", async () => {
  await using scene = await changeScene();
  const ci = await commandLineAt(scene.place);

  await ci.begin();
  expect(await ci.diff()).toMatchObject({ status: 0, out: "Nothing differs from version 1.\n" });
  ci.change({ monitoring: "basic" });
  const different = await ci.diff();
  expect([different.status, different.out]).toEqual([
    2,
    expect.stringContaining("monitoring  advanced → basic"),
  ]);
  const requested = "The rollout of version 2 is requested, 0 of 1 approvals.\n";
  expect(await ci.apply()).toEqual({
    ...{ status: 0, error: "" },
    out: `${different.out}\nSaved as version 2.\n${requested}`,
  });
  const unchanged = "Nothing to change: version 2 has these options.\n";
  expect(await ci.apply()).toEqual({ status: 0, error: "", out: `${unchanged}${requested}` });
  expect(await scene.rollouts()).toEqual([[2, "requested"]]);

  using wait = ci.wait(2);
  await pollUntil(wait.said, (said) => said.includes(`runs version 1. ${requested}`), 60_000);
  await scene.approve(1);
  await scene.takeUp(2);
  const waited = await wait.ended;
  expect([waited.status, waited.out]).toEqual([
    0,
    "Healthy: sfu-1 is healthy and runs version 2.\n",
  ]);
  expect(await ci.diff()).toMatchObject({ status: 0, out: "Nothing differs from version 2.\n" });
  expect(await ci.apply()).toEqual({
    ...{ status: 0, error: "", out: `${unchanged}The server runs version 2.\n` },
  });
  expect([await scene.newestVersion(), await scene.rollouts()]).toEqual([2, [[2, "proved"]]]);

  // The same by the calls of the documentation, which change another option.
  const [servers, , , save] = documentedCalls("docs/api");
  const [request] = documentedCalls("docs/command-line");
  const curl = (call: string | undefined) => runCall(call, scene.place);
  const version3 = { version: 3, options: { rooms: { maxParticipants: 50 } } };
  expect([await curl(save), await curl(save)]).toMatchObject([version3, version3]);
  const open = { version: 3, state: "requested" };
  expect([await curl(request), await curl(request)]).toMatchObject([open, open]);
  const before = { state: { code: "healthy" }, version: { version: 2 } };
  expect(await curl(servers)).toMatchObject({ items: [before] });
  await scene.approve(2);
  expect(await curl(request)).toMatchObject({ version: 3, state: "approved" });
  await scene.takeUp(3);
  const after = { state: { code: "healthy" }, version: { version: 3 } };
  expect(await curl(servers)).toMatchObject({ items: [after] });
  expect(await curl(save)).toMatchObject({ version: 3 });
  // It runs that version.
  await expect(curl(request)).rejects.toThrow("409");
  expect([await scene.newestVersion(), await scene.rollouts()]).toEqual([
    3,
    [
      [3, "proved"],
      [2, "proved"],
    ],
  ]);
});
