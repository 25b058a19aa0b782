import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { fullOptions, storeVersion } from "../../support/deployments/deployments.ts";
import { administrated, machineCommands } from "../../support/servers/machine-command.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

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
