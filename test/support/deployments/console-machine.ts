import { spawnSync } from "node:child_process";
import { writeKernel } from "../../../fakes/machine/machine-folder.ts";
import type { ConsoleRequest, startConsole } from "./console-server.ts";
import { type Machine, machine } from "./machine.ts";

const fleet = "0".repeat(32);
export const serverId = "1".repeat(32);
export const token = `lkd_e_${fleet}_${"A".repeat(43)}_${"2".repeat(16)}`;
const enrolled = [
  "server 11111111-1111-1111-1111-111111111111",
  `key-prefix lkd_s_${fleet}_${serverId}_`,
  `key-tag ${"3".repeat(16)}`,
];

/** What the console answers when everything is well. */
export const well = ({ path, body }: ConsoleRequest) => ({
  status: 200,
  lines:
    path === "/v1/enrol"
      ? enrolled
      : path === "/v1/report"
        ? [`taken ${/^seq\t(\d+)$/m.exec(body)?.[1]}`]
        : [`disconnected ${serverId}`],
});
export const refusing =
  (status: number, refused: string, ...more: string[]) =>
  () => ({ status, lines: [`refused ${refused}`, "say What to do about it.", ...more] });

export const realCurl = spawnSync("sh", ["-c", "command -v curl"], {
  encoding: "utf8",
}).stdout.trim();

export type Console = Awaited<ReturnType<typeof startConsole>>;

/** A machine with what its kernel and its provider say. */
export function withKernel(made: Machine): Machine {
  writeKernel(made, {
    machineId: "0123456789abcdef0123456789abcdef",
    bootId: "11111111-1111-4111-8111-111111111111",
  });
  made.write("var/lib/cloud/data/instance-id", "i-0abc\n");
  return made;
}

/** A machine of this bundle that can reach the console. */
export function machineAt(
  { url }: Pick<Console, "url">,
  typed: Record<string, unknown> = {},
  hasToken = false,
): Machine {
  return withKernel(machine(typed, hasToken ? { url, token } : { url }));
}

/** Runs a command of the bundle while the console of this process can answer. */
export function run(
  server: Machine,
  name: string,
  args: string[] = [],
  input = "",
  environment: Record<string, string> = {},
) {
  return new Promise<{ status: number | null; output: string }>((resolve) => {
    const child = server.start(name, args, environment);
    let output = "";
    child.stdout.on("data", (text) => (output += text));
    child.stderr.on("data", (text) => (output += text));
    // Some commands end without reading their input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("close", (status) => resolve({ status, output }));
  });
}
export const connect = (server: Machine) =>
  run(server, "livekit-deploy", ["connect"], `${token}\n`);
export const report = (server: Machine) => run(server, "console", ["report"]);
