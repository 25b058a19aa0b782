import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

type ProgramName = "livekit-server" | "caddy";

/** The file of a real program. Throws a sentence that says how to get one. */
export function findProgram(name: ProgramName, environment = process.env): string {
  const program = join(environment.MEDIA_PROGRAMS ?? "", name);
  try {
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    throw new PlainFailure(
      `Not found: ${name}. It is built with Go 1.26 into the folder that MEDIA_PROGRAMS names:\n` +
        "  export MEDIA_PROGRAMS=$HOME/media-programs && test/real/media/build-programs.sh",
    );
  }
}

export const findLivekitServer = (environment = process.env): string =>
  findProgram("livekit-server", environment);

export function findCallPrograms(): void {
  findLivekitServer();
  findProgram("caddy");
}
