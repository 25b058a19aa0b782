import { randomUUID } from "node:crypto";
import { diskSize, diskUsed } from "../../../app/features/servers/trial/simulated-past.ts";
import type { Browser } from "../../lib/browser.ts";
import { PlainFailure } from "../../lib/terminal.mjs";
import { askConsole } from "../machine/local-console.ts";
import { idsInKey, introduce, sendReport } from "../machine/wire-machine.ts";
import { givePast, type Past } from "./servers-past.ts";

type Planned = {
  name: string;
  deployment: string;
  /** Its reports, one after the other: lines beside those that every report has. */
  reports: string[][];
  isDisconnected?: true;
  /** The version of the deployment that its files say. */
  runs: number;
  /** Its three weeks before; one that was connected just now has none. */
  past?: Omit<Past, "server">;
};

const livekit = (version: string) =>
  `service\tlivekit\tlivekit/livekit-server:${version}\trunning\thealthy`;
const inCalls = (participants: number) => [
  `metric\tparticipants\t${participants}`,
  `metric\trooms\t${Math.ceil(participants / 4)}`,
];

const planned: Planned[] = [
  {
    name: "sfu-1",
    deployment: "Production",
    runs: 6,
    past: { busiest: 22, wasDown: true },
    reports: [
      [livekit("v1.13.10"), ...inCalls(3)],
      [livekit("v1.13.11"), ...inCalls(14)],
    ],
  },
  {
    name: "sfu-2",
    deployment: "Production",
    runs: 5,
    past: { busiest: 11, wasDown: false, disk: 0.88 },
    reports: [
      [
        livekit("v1.13.11"),
        "finding\tdisk.filling\twarning\t/opt/livekit\t88 % used\t",
        ...inCalls(6),
      ],
    ],
  },
  {
    name: "staging-1",
    deployment: "Staging",
    runs: 3,
    past: { busiest: 3, wasDown: false },
    reports: [[livekit("v1.13.10"), "going\tupdate"]],
  },
  {
    name: "studio-1",
    deployment: "Streaming studio",
    runs: 2,
    reports: [[livekit("v1.13.11"), ...inCalls(2)]],
    isDisconnected: true,
  },
];

/** Connects servers and reports for them, as machines do, and gives them a past where the site is a local build. */
export async function connectServers(browser: Browser, consoleUrl: string): Promise<void> {
  const pasts: Past[] = [];
  let workspace = "none";
  const list = await (await browser.request("/dashboard/deployments")).text();
  for (const { name, deployment, reports, isDisconnected, runs, past } of planned) {
    const path = deploymentPath(list, deployment);
    const page = await (await browser.post(path, { intent: "connect" })).text();
    const [token] = /lkd_e_\w+/.exec(page) ?? [];
    if (!token) throw new PlainFailure(`No token was made for ${deployment}.`);
    const machine = await introduce(consoleUrl, token, name);
    const { machine: id, instance, key } = machine;
    const boot = randomUUID();
    const now = Math.floor(Date.now() / 1_000);
    for (const [at, lines] of reports.entries()) {
      const answer = await sendReport(consoleUrl, machine, [
        "livekit-deploy-report\t1",
        ...[`seq\t${at + 1}`, `boot\t${boot}`, `machine\t${id}`, `instance\t${instance}`],
        ...[`at\t${now}`, `version\t${"0".repeat(64)}`, `doctor\t${now}`],
        ...["load\t0.61", "cpus\t4", "memory\t3100000\t8000000"],
        `disk\t${diskUsed(past ?? {})}\t${diskSize}`,
        `made-from\t${path.split("/").at(-1)}\t${runs}\t${"0".repeat(64)}`,
        ...lines,
      ]);
      if (!answer) throw new PlainFailure(`A report of ${name} was not taken.`);
    }
    if (isDisconnected) {
      await askConsole(consoleUrl, "/v1/disconnect", key, `machine ${id}\ninstance ${instance}\n`);
    }
    const ids = idsInKey(key);
    workspace = ids.workspace;
    if (past) pasts.push({ ...past, server: ids.server });
  }
  await givePast(consoleUrl, workspace, pasts);
}

function deploymentPath(list: string, name: string): string {
  const links = /<a[^>]*href="(\/dashboard\/deployments\/[0-9a-f-]{36})"[^>]*>([\s\S]*?)<\/a>/g;
  for (const [, path = "", text = ""] of list.matchAll(links)) {
    if (text.replaceAll(/<[^>]*>/g, "").trim() === name) return path;
  }
  throw new PlainFailure(`The list of deployments has no ${name}.`);
}
