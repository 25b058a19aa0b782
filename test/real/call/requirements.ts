import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";
import { findSystemPrograms } from "../media/requirements.ts";

type ProgramName = "livekit-server" | "caddy" | "redis-server";

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

/** Of systemPrograms. */
const programs = ["ip", "nft", "openssl", "curl", "python3", "redis-server"];

export function findCallPrograms(system?: Parameters<typeof findSystemPrograms>[2]): void {
  const { missing } = findSystemPrograms(programs, "call", system);
  if (missing.length > 0) throw new PlainFailure(missing.join("\n"));
  findLivekitServer();
  findProgram("caddy");
}
