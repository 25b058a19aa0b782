import { findings } from "../findings.ts";
import type { ScriptTexts } from "../script-texts.ts";
import { assembled } from "./script-parts.ts";

/**
 * `{subject}` and `{wanted}` become variables of the doctor; everything else stands as it is, without the backticks, which a
 * shell would take for a command.
 */
function doubleQuoted(text: string): string {
  return `"${text
    .replaceAll("`", "")
    .replace(/["\\$]/g, "\\$&")
    .replace(/\{(subject|wanted)\}/g, "$$$1")}"`;
}

/** `doctor.sh`, with its parts and a line for each finding. */
export function doctorScript(texts: ScriptTexts): string {
  const findingLines = Object.entries(findings)
    .map(
      ([code, { severity, next }]) =>
        `  ${code}) severity=${severity} next=${doubleQuoted(next)} ;;\n`,
    )
    .join("");
  return assembled(
    texts["doctor.sh"],
    {
      "doctor/advice.sh": texts["doctor/advice.sh"].replace(
        /^ *@FINDINGS@.*\n/m,
        () => findingLines,
      ),
      "doctor/network.sh": texts["doctor/network.sh"],
      "doctor/machine.sh": texts["doctor/machine.sh"],
    },
    {},
  );
}
