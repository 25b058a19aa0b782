import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pinned } from "../../../app/features/deployments/bundle/versions.ts";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { machineFolder } from "../../../fakes/machine/machine-folder.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { fullOptions, storeVersion } from "../../support/deployments/deployments.ts";
import { machineCommands } from "../../support/servers/machine-command.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

/** The machine that `npm run machine` runs, with what an administrator does on it. */
function administrated(folder: string) {
  const machine = machineFolder(folder);
  const run = (name: string, args: readonly string[]) =>
    new Promise<string>((resolve) => {
      const child = spawn("sh", [machine.commandOf(name), ...args], {
        env: machine.environment,
        cwd: folder,
      });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text) => (output += text));
      child.on("close", () => resolve(output));
    });
  return { machine, run };
}

test("a server's page and its deployment's say which version it runs, which one is saved since, and that files were changed by hand", async () => {
  await resetFakes();
  await using commands = machineCommands();
  const { browser, email, deployment, page, workspace } = await serverCustomer(worker, "pro");
  const download = async (version: number, connect = "no") => {
    const answer = await browser.post(`${page}/bundle.zip`, { version: `${version}`, connect });
    expect(answer.status).toBe(200);
    const file = join(commands.folder, `v${version}.zip`);
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    return file;
  };
  const first = await download(1, "yes");
  const booted = commands.start([first, "--fast", "--every", "3600"]);
  await booted.until("Ctrl-C switches it off");
  const { machine, run } = administrated(join(commands.machines, "machine-1"));

  const [server] = (await (await worker.fleets()).overview(workspace)).servers;
  const textAt = async (path: string) => textOfHtml(await (await browser.request(path)).text());
  const ofServer = () => textAt(`/dashboard/servers/${server?.id}`);
  expect(await ofServer()).toContain("Runs version 1.");
  expect(await textAt(page)).toContain("Runs version 1");
  expect(await ofServer()).not.toContain("See what changed");

  await storeVersion(email, deployment, { ...fullOptions(), ingress: "none" }, 1);
  expect(await ofServer()).toContain("Version 2 is saved");
  expect(await ofServer()).toContain("See what changed");
  const ofDeployment = await textAt(page);
  expect(ofDeployment).toContain("Version 2 is not on your server");
  expect(ofDeployment).toContain("It runs version 1.");
  expect(ofDeployment).not.toContain("Version 2 is on my server");
  expect(await textAt("/dashboard/deployments")).toContain("Your server runs version 1");
  expect(await textAt(`${page}/versions`)).not.toContain("On my server");

  const second = await download(2);
  expect(await run("livekit-deploy", ["apply", second])).toContain("The bundle is in use.");
  expect(await run("console", ["report"])).toBe("");
  const applied = await ofServer();
  expect(applied).toContain("Runs version 2.");
  expect(applied).not.toContain("is saved");
  expect(applied).toMatch(/Its files changed .*version 1.*version 2/s);
  expect(await textAt(page)).not.toContain("is not on your server");
  expect(await textAt("/dashboard/deployments")).not.toContain("Your server runs");

  machine.write(
    "opt/livekit/livekit.yaml",
    `${machine.read("opt/livekit/livekit.yaml")}# by hand\n`,
  );
  expect(await run("console", ["report"])).toBe("");
  expect(await ofServer()).toContain("Its files are not those of version 2: changed by hand");
  expect(await textAt(page)).toContain("Its files differ from version 2");
});

test("an advisory of a version that runs is on the server's page and in its doctor until livekit-deploy update takes what it advises", async () => {
  await resetFakes();
  await using commands = machineCommands();
  const { browser, email, deployment, page, workspace } = await serverCustomer(worker, "pro");
  const options = fullOptions();
  const versions = { ...options.versions, livekit: "v1.13.9" };
  await storeVersion(email, deployment, { ...options, versions }, 1);
  const answer = await browser.post(`${page}/bundle.zip`, { version: "2", connect: "yes" });
  expect(answer.status).toBe(200);
  const file = join(commands.folder, "affected.zip");
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const booted = commands.start([file, "--fast", "--every", "3600"]);
  await booted.until("Ctrl-C switches it off");
  const { run } = administrated(join(commands.machines, "machine-1"));

  const [server] = (await (await worker.fleets()).overview(workspace)).servers;
  const textAt = async (path: string) => textOfHtml(await (await browser.request(path)).text());
  const ofServer = () => textAt(`/dashboard/servers/${server?.id}`);
  const update = `livekit-deploy update --to livekit=${pinned.livekit.tag}`;
  expect(await ofServer()).toContain(
    "A version that can be attacked from the internet runs: livekit",
  );
  // A page lets a long command break anywhere.
  const unbroken = async () => (await ofServer()).replaceAll(" ", "");
  expect(await unbroken()).toContain(`sudo${update.replaceAll(" ", "")}`);
  const ofList = await textAt("/dashboard?show=affected");
  expect(ofList).toContain(server?.name);
  expect(await run("doctor", ["--quiet"])).toContain(`next: sudo ${update}`);

  const [, ...args] = update.split(" ");
  expect(await run("livekit-deploy", args)).toContain("Updated. All services are healthy.");
  expect(await run("health", [])).not.toContain("known fault");
  expect(await run("console", ["report"])).toBe("");
  expect(await ofServer()).toContain("It found nothing wrong.");
  expect(await textAt("/dashboard?show=affected")).toContain("No server matches.");
});
