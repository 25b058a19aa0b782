import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { fakeAddresses } from "../../fakes/addresses.ts";
import { defaultPortBase, localVariables } from "../../fakes/dev-vars.ts";
import { endWithNpm } from "../lib/end-with-npm.ts";
import { portFromEnvironment } from "../lib/ports.ts";
import { UsageError } from "../lib/settings.ts";
import { PlainFailure } from "../lib/terminal.mjs";
import { findSite } from "./find-site.ts";
import { help, readCall } from "./machine/call.ts";
import { RunningCluster } from "./machine/cluster.ts";
import { forgetMachine, RunningMachine } from "./machine/run-machine.ts";
import { machineNames, readIdentity, runningProcess } from "./machine/saved-machines.ts";

/** Stands for a server at the running site. Exit codes: 0 switched off, 1 failed, 2 called wrongly. */
try {
  await main();
} catch (error) {
  const isPlain = error instanceof PlainFailure || error instanceof UsageError;
  console.error(isPlain ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function main(): Promise<void> {
  const call = readCall(process.argv.slice(2));
  switch (call.kind) {
    case "help":
      console.log(help);
      return;
    case "list":
      list();
      return;
    case "forget":
      requireTools();
      console.log(await forgetMachine(call.name));
      return;
    case "run":
      requireTools();
      await runUntilSignal(call);
  }
}

async function runUntilSignal(call: Extract<ReturnType<typeof readCall>, { kind: "run" }>) {
  const running = call.cluster === undefined ? new RunningMachine() : new RunningCluster();
  let ending: Promise<void> | undefined;
  const end = () => {
    if (ending) process.exit(1);
    process.stdout.write("\n");
    ending = running.end();
    ending.then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  endWithNpm(end);
  try {
    await running.run(call, consoleUrl, askToken);
  } catch (error) {
    // What ending it interrupts is no failure.
    if (ending) return new Promise<void>(() => {});
    await running.end();
    throw error;
  }
}

/** Where machines find the running site's console. */
async function consoleUrl(): Promise<string> {
  const portBase = portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase);
  const siteUrl = await findSite(fakeAddresses(portBase), "npm run machine");
  const { SERVERS_URL } = localVariables({ siteUrl, portBase });
  if (SERVERS_URL) return SERVERS_URL;
  throw new PlainFailure(
    "This site has no console for servers: SERVERS_URL is empty in .dev.vars.",
  );
}

/** Reads the token from the input; a terminal does not show it. */
function askToken(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stdout.write("  Token from the console: ");
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal });
  return new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      if (isTerminal) process.stdout.write("\n");
      resolve(line.trim());
      lines.close();
    });
    lines.once("close", () => reject(new PlainFailure("No token was typed. Nothing was changed.")));
    // readline takes Ctrl-C from the terminal.
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  });
}

function list(): void {
  const names = machineNames();
  if (names.length === 0)
    console.log("There is no machine yet. npm run machine says how to boot one.");
  for (const name of names) {
    const { domain, consoleUrl: url } = readIdentity(name);
    const state = runningProcess(name) === undefined ? "off" : "runs";
    console.log(`${name.padEnd(20)} ${state.padEnd(6)} ${domain}, at ${url}`);
  }
}

/** The bundle's scripts are for Linux, and so are the programs that they call. */
function requireTools(): void {
  const elsewhere =
    "It works on Linux, and in a container or a virtual machine with Linux, Node 20 and curl.";
  if (process.platform !== "linux") {
    throw new PlainFailure(
      `npm run machine runs the scripts that servers run, which are for Linux. ${elsewhere}`,
    );
  }
  const missing = ["sh", "curl", "flock", "gzip", "awk", "sha256sum"].filter(
    (tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0,
  );
  if (missing.length === 0) return;
  throw new PlainFailure(
    `Not installed: ${missing.join(", ")}. The scripts of a server need them.`,
  );
}
