import { findings } from "../findings.ts";

/** What the doctor can find, and the form of its report. */
export const findingsSection = `## What the doctor finds

\`sudo livekit-deploy doctor\` shows a row for each thing it looks at, and the next step below what is not well.
\`--quiet\` leaves out what is well. Exit status: 0 all well, 1 something needs attention (warning), 2 something does
not work (critical) or could not be looked at.

\`--report\` is for programs: a line of ASCII for each finding, five fields with a tab between them: code, severity,
subject (a name, port, service, unit, file or address), found, and wanted, which may be empty. It holds no secret.
The last report is in \`/opt/livekit/state/health-findings\`. TURN is asked for real relays with LiveKit's own
credentials, over UDP and TLS, and a packet is sent from one to the other through the public address.

| Code | Severity | What it means |
|---|---|---|
${Object.entries(findings)
  .map(([code, { severity, title }]) => `| \`${code}\` | ${severity} | ${title} |\n`)
  .join("")}`;
