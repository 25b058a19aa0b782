import { assembled } from "~/features/deployments/bundle/files/script-parts.ts";

/** The sources of the script by which a machine is connected as it is, and what it may have at most, in bytes. */
export const connectSources = ["livekit-connect.sh", "livekit-connect.py"] as const;
export const maxConnectBytes = 20_000;

/** The script in one piece: people download, read and run one file. */
export function connectScript(read: (name: (typeof connectSources)[number]) => string): string {
  const python = read("livekit-connect.py").trimEnd();
  return assembled(read("livekit-connect.sh"), {}, { PYTHON: python });
}
