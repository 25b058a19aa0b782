import { accessSync, constants } from "node:fs";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

/** The program schemathesis. Throws a sentence that says how to get it. */
export function findSchemathesis(environment = process.env): string {
  const program = environment.SCHEMATHESIS ?? "";
  try {
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    throw new PlainFailure(
      "Not found: schemathesis at the path that SCHEMATHESIS names. It comes with pip:\n" +
        "  python3 -m venv $HOME/schemathesis && $HOME/schemathesis/bin/pip install schemathesis==4.32.5\n" +
        "  export SCHEMATHESIS=$HOME/schemathesis/bin/schemathesis",
    );
  }
}
