import { findings } from "../findings.ts";

/** What a finding's fields stand for is put in by the shell; the rest of the text stands as it is. */
function doubleQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&").replace(/\{(subject|wanted)\}/g, "$$$1")}"`;
}

/** The table of findings as the doctor reads it: `advice CODE` sets severity and next. */
export const doctorAdvice = `advice() {
  case $1 in
${Object.entries(findings)
  .map(
    ([code, { severity, next }]) =>
      `  ${code}) severity=${severity} next=${doubleQuoted(next)} ;;\n`,
  )
  .join("")}  esac
}
`;
