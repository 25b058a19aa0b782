import type { BundleFile, Connection } from "../../bundle-types.ts";

/** The token by which the machine introduces itself to the console. It removes the file when it has done so. */
export function enrolmentToken(connection?: Connection): BundleFile[] {
  if (!connection?.token) return [];
  return [
    {
      path: "enrolment-token",
      content: `${connection.token}\n`,
      language: "conf",
      purpose: "Connects the machine to the console. It ends 72 hours after the download.",
      installed: { path: "/opt/livekit/enrolment-token", mode: "0600", owner: "root:root" },
    },
  ];
}
