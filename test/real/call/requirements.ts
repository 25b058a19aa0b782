import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

/** The file of a real LiveKit server. Throws a sentence that says how to get one. */
export function findLivekitServer(environment = process.env): string {
  const program = join(environment.MEDIA_PROGRAMS ?? "", "livekit-server");
  try {
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    throw new PlainFailure(
      "Not found: livekit-server. It is built with Go 1.26 into the folder that MEDIA_PROGRAMS names:\n" +
        "  export MEDIA_PROGRAMS=$HOME/media-programs && test/real/media/build-programs.sh",
    );
  }
}
