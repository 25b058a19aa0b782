import { expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { layoutFindings } from "~/features/servers/state/connected-findings.ts";
import { token, well } from "../../support/deployments/console-machine.ts";
import { startConsole } from "../../support/deployments/console-server.ts";
import { answeringLiveKit } from "../../support/servers/layouts/answering-livekit.ts";
import { layoutMachine, shells } from "../../support/servers/layouts/layout-machine.ts";
import { layouts } from "../../support/servers/layouts/layouts.ts";

vi.setConfig({ testTimeout: 60_000 });

const shellNames = Object.keys(shells) as (keyof typeof shells)[];

const cases = Object.keys(layouts).flatMap((name) =>
  shellNames.map((shell) => [name, shell] as const),
);

test.for(cases)(
  "%s is connected, says how it runs and what is wrong, and is as before when it is removed, under %s",
  async ([name, shell]) => {
    await using console = await startConsole(well);
    await using running = await answeringLiveKit();
    const { port } = running;
    // Nobody listens at port 1: what a certificate says is tried by itself.
    const made = layouts[name]?.({ livekit: port, metrics: port, tls: 1 });
    if (!made) throw new Error(name);
    using machine = layoutMachine(made);
    const before = machine.tree();

    const connected = await machine.run(shell, [console.url], { input: `${token}\n` });
    expect(connected).toMatchObject({ status: 0 });
    expect(connected.output).toContain(made.layout.where);
    const again = await machine.run(shell, ["report"], { installed: true });
    expect(again).toEqual({ status: 0, output: "" });
    expect(console.requests.map(({ path }) => path)).toEqual([
      "/v1/enrol",
      "/v1/report",
      "/v1/report",
    ]);

    const read = parseReport(console.requests[2]?.body ?? "");
    if (!read.ok) throw new Error(`Line ${read.line} cannot be read.`);
    const { report } = read;
    expect(report.layout).toMatchObject(made.layout);
    expect(report).toMatchObject({ seq: 2, load: 0.31, memory: { used: 2_000_000 } });
    expect(report.domain).toBe(made.domain);
    expect(report.releases?.find((each) => each.name === "livekit")?.version).toBe(made.version);
    // The disk is that of the machine that runs this test.
    const found = layoutFindings(report, report.at).filter(
      ({ code }) => !code.startsWith("connected.disk"),
    );
    expect(found.map(({ code }) => code.replace("connected.", ""))).toEqual(made.findings);
    expect(report.metrics).toEqual(
      made.hasMetrics ? { rooms: 2, participants: 5, "joins-failed": 3 } : {},
    );

    const removed = await machine.run(shell, ["remove"], { installed: true });
    expect(removed).toMatchObject({ status: 0 });
    expect(console.requests.at(-1)?.path).toBe("/v1/disconnect");
    expect(machine.tree()).toEqual(before);

    // Of LiveKit nothing is changed, and nothing is sent that is none of ours.
    for (const call of machine.calls().trim().split("\n"))
      expect(call).toMatch(
        /^(docker|podman) (\S+ unix:\S+ )?(ps -aq --no-trunc|inspect [0-9a-f ]+)$|^systemctl (is-active|is-enabled) \S+$|^systemctl daemon-reload$|^systemctl (enable|disable) --now livekit-connect.timer$/,
      );
    const sent = console.requests.map(({ body }) => body).join("\n");
    for (const hidden of ["Jx9fQm2bT7", "hunter2", "customer-host", "APIw7n", "APIsystemd"])
      expect(sent).not.toContain(hidden);
  },
);
