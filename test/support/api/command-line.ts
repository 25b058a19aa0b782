import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledCommandLine } from "../../../scripts/vite/command-line.ts";

export type Ran = { status: number; out: string; error: string };

/** The command line as the site serves it, in a folder of its own, which is where its lines run. */
export class CommandLine {
  readonly folder = mkdtempSync(join(tmpdir(), "command-line-"));
  readonly program = join(this.folder, "livekit-deploy.mjs");

  static async compiled(): Promise<CommandLine> {
    const made = new CommandLine();
    writeFileSync(made.program, await compiledCommandLine());
    return made;
  }

  /** Writes a file of the folder. */
  write(name: string, content: unknown): string {
    const path = join(this.folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  }

  /** What a line prints, and how it ends. */
  run(line: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
    return this.start(line, environment).ended;
  }

  /** A line that goes on: `said` is what it has written so far to whoever reads its log. */
  start(line: readonly string[], environment: Record<string, string> = {}) {
    const { promise: ended, resolve } = Promise.withResolvers<Ran>();
    const child = execFile(
      process.execPath,
      [this.program, ...line],
      { cwd: this.folder, env: { ...process.env, ...environment } },
      (failure, out, error) => resolve({ status: failure ? Number(failure.code) : 0, out, error }),
    );
    let said = "";
    child.stderr?.on("data", (text: string) => {
      said += text;
    });
    return { ended, said: () => said, [Symbol.dispose]: () => void child.kill() };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
