import { expect, test } from "vitest";
import { machineCommands } from "../../support/servers/machine-command.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

test("npm run machine --cluster with --egress has Egress machines, one of which is lost, and media machines that do not record", async () => {
  await using commands = machineCommands();
  const worker = await sharedWorker();
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const made = { workspace, deployment: crypto.randomUUID(), uses: 5, hours: 72 };
  const { token } = await fleets.makeToken(made);
  const zip = commands.zip(worker.url.replace("127.0.0.1", "servers.localhost"), token);
  const shape = ["--cluster", "2", "--egress", "2", "--fault", "egress", "--every", "1"];
  const run = commands.start([zip, ...shape]);
  await run.until("round 2: 4 machines report");
  expect(run.output).toContain("egress-1 is lost");
  const { servers } = await fleets.overview(workspace);
  const lines = servers.map(({ name, role, services }) =>
    [name, role, ...services.map((each) => each.name)].join(" "),
  );
  expect(lines.toSorted()).toEqual([
    "edge edge caddy redis",
    "egress-1 egress egress",
    "egress-2 egress egress",
    "media-1 media livekit",
    "media-2 media livekit",
  ]);
  expect(await run.end()).toBe(0);
  const after = (await fleets.overview(workspace)).servers;
  expect(after.every(({ retiredAt }) => retiredAt !== undefined)).toBe(true);
});
