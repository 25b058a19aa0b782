import { assembled } from "~/features/deployments/bundle/files/script-parts.ts";
import type { ScriptTexts } from "~/features/deployments/bundle/script-texts.ts";

/** The sources of what connects a LiveKit as it is. */
export const connectSources = [
  "livekit-connect.sh",
  "livekit-connect.py",
  "livekit-connect.yaml",
  "livekit-connect-pod.py",
  "livekit-sessions.py",
  "reporting.py",
] as const;

type Read = (name: (typeof connectSources)[number]) => string;

/** What the script for a machine, and what the manifest for a cluster may have at most, in bytes. */
export const maxConnectBytes = 20_000;

const program = (...parts: readonly string[]) => parts.join("\n").trimEnd();

/**
 * The script in one piece: people download, read and run one file. `layout` is what moving in has in common with it: how
 * LiveKit runs on a machine.
 */
export function connectScript(read: Read, layout: string): string {
  const python = program(read("reporting.py"), layout, read("livekit-connect.py"));
  return assembled(read("livekit-connect.sh"), {}, { PYTHON: python });
}

/** The manifest for a cluster in one piece, for the same reason. */
export function connectManifest(read: Read): string {
  const lines = program(read("reporting.py"), read("livekit-connect-pod.py")).replace(
    /\n(?=.)/g,
    "\n    ",
  );
  return assembled(read("livekit-connect.yaml"), {}, { SCRIPT: lines });
}

/** What the program for sessions may have at most, in bytes: two thirds of it are modules of the bundle. */
export const maxSessionsBytes = 30_000;

/** The program that takes LiveKit's events, with the modules that read them on the servers that we make. */
export function sessionsProgram(read: Read, texts: ScriptTexts): string {
  const modules = (["tokens", "spool", "sessions"] as const).map(
    (name) => `module("${name}", r'''\n${texts[`${name}.py`]}''')\n`,
  );
  return assembled(read("livekit-sessions.py"), {}, { MODULES: modules.join("") });
}
