import { assembled } from "~/features/deployments/bundle/files/script-parts.ts";

/** The sources of what connects a LiveKit as it is. */
export const connectSources = [
  "livekit-connect.sh",
  "livekit-connect.py",
  "livekit-connect.yaml",
  "livekit-connect-pod.py",
  "reporting.py",
] as const;

type Read = (name: (typeof connectSources)[number]) => string;

/** What the script for a machine, and what the manifest for a cluster may have at most, in bytes. */
export const maxConnectBytes = 20_000;

const program = (read: Read, main: "livekit-connect.py" | "livekit-connect-pod.py") =>
  `${read("reporting.py")}\n${read(main)}`.trimEnd();

/** The script in one piece: people download, read and run one file. */
export function connectScript(read: Read): string {
  return assembled(read("livekit-connect.sh"), {}, { PYTHON: program(read, "livekit-connect.py") });
}

/** The manifest for a cluster in one piece, for the same reason. */
export function connectManifest(read: Read): string {
  const lines = program(read, "livekit-connect-pod.py").replace(/\n(?=.)/g, "\n    ");
  return assembled(read("livekit-connect.yaml"), {}, { SCRIPT: lines });
}
