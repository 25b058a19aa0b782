import { spawn } from "node:child_process";
import { mkdtempDisposableSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { zipOf } from "../../../app/features/deployments/bundle/zip.ts";
import { machineFolder } from "../../../fakes/machine/machine-folder.ts";
import { localFolder } from "../../../scripts/lib/local-folder.ts";
import { bundle } from "../deployments/bundle.ts";
import { optionsFrom } from "../deployments/bundle-cases.ts";
import { portBase } from "../site/own-site.ts";

/** Runs of `npm run machine` whose machines are this file's own. Ends what still runs, and removes the machines. */
export function machineCommands() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "machine-command-"));
  const machines = resolve(localFolder(portBase), "machines");
  const runs: MachineRun[] = [];
  return {
    machines,
    /** Where files of the test can lie. */
    folder: folder.path,
    /** Starts the command; the token goes to its input where one is typed. */
    start(args: readonly string[], token?: string): MachineRun {
      const run = new MachineRun(args, token);
      runs.push(run);
      return run;
    },
    /** A zip with files that connect, as somebody downloads it. */
    zip(consoleUrl: string, token?: string): string {
      const options = optionsFrom({ domain: "livekit.example.com" });
      const connection = { url: consoleUrl, ...(token === undefined ? {} : { token }) };
      const file = join(folder.path, `${crypto.randomUUID()}.zip`);
      writeFileSync(file, zipOf(bundle(options, undefined, connection).files));
      return file;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(runs.map((run) => run.end()));
      rmSync(machines, { recursive: true, force: true });
      folder.remove();
    },
  };
}

/** One run of the command, with everything that it said. */
export class MachineRun {
  output = "";
  readonly exited: Promise<number | null>;
  readonly #child;
  readonly #waiting = new Set<() => void>();

  constructor(args: readonly string[], token?: string) {
    this.#child = spawn(process.execPath, ["--", resolve("scripts/dev/machine.ts"), ...args], {
      // No site answers at this PORT, where the command looks for one when it was given no zip.
      env: {
        ...process.env,
        NODE_ENV: "development",
        PORT: String(portBase + 29),
        LOCAL_PORT_BASE: String(portBase),
      },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on("data", (text) => {
        this.output += text;
        for (const check of this.#waiting) check();
      });
    // A command that ends without reading its input closes the pipe, and writing to it fails (EPIPE).
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdin.end(token === undefined ? "" : `${token}\n`);
    this.exited = new Promise((done) => this.#child.on("close", (code) => done(code)));
  }

  /** Waits until it has said this; fails with what it said where it ends before. */
  async until(words: string): Promise<void> {
    const found = new Promise<void>((done) => {
      const check = () => {
        if (this.output.includes(words)) done();
      };
      this.#waiting.add(check);
      check();
    });
    const ended = this.exited.then((code) => {
      if (!this.output.includes(words))
        throw new Error(`It ended with ${code} before it said "${words}":\n${this.output}`);
    });
    await Promise.race([found, ended]);
  }

  /** Presses Ctrl-C; answers the exit code. */
  async end(): Promise<number | null> {
    if (this.#child.exitCode === null) this.#child.kill("SIGINT");
    return this.exited;
  }
}

/** The machine that `npm run machine` runs, with what an administrator does on it. */
export function administrated(folder: string) {
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
