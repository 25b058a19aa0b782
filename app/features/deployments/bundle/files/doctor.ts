import { findings } from "../findings.ts";
import advice from "../scripts/doctor/advice.sh" with { type: "text" };
import machine from "../scripts/doctor/machine.sh" with { type: "text" };
import network from "../scripts/doctor/network.sh" with { type: "text" };
import doctor from "../scripts/doctor.sh" with { type: "text" };
import { assembled } from "./script-parts.ts";

/** `{subject}` and `{wanted}` become variables of the doctor; everything else stands as it is. */
function doubleQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&").replace(/\{(subject|wanted)\}/g, "$$$1")}"`;
}

const findingLines = Object.entries(findings)
  .map(
    ([code, { severity, next }]) =>
      `  ${code}) severity=${severity} next=${doubleQuoted(next)} ;;\n`,
  )
  .join("");

/** `doctor.sh`, with its parts and a line for each finding. */
export const doctorScript = assembled(
  doctor,
  {
    "doctor/advice.sh": advice.replace(/^ *@FINDINGS@.*\n/m, () => findingLines),
    "doctor/network.sh": network,
    "doctor/machine.sh": machine,
  },
  {},
);
