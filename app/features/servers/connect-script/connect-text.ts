import { scriptTexts } from "~/features/deployments/bundle/script-files";
import layoutText from "~/features/deployments/bundle/scripts/layout.py?raw";
import {
  connectManifest,
  connectScript,
  type connectSources,
  sessionsProgram,
} from "./connect-script";

const files = import.meta.glob<string>("./*.{sh,py,yaml}", {
  query: "?raw",
  import: "default",
  eager: true,
});

function read(name: (typeof connectSources)[number]): string {
  const text = files[`./${name}`];
  if (text === undefined) throw new Error(`There is no ${name}.`);
  return text;
}

/** The script as machines get it. Only the servers Worker has it: the site asks that. */
export const connectText = connectScript(read, layoutText);

/** The manifest as clusters get it. */
export const manifestText = connectManifest(read);

/** The program for sessions, as machines that are connected as they are get it. */
export const sessionsText = sessionsProgram(read, scriptTexts);
