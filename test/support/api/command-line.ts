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
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [this.program, ...line],
        { cwd: this.folder, env: { ...process.env, ...environment } },
        (failure, out, error) =>
          resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      );
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
