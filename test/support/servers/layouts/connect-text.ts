import { readFileSync } from "node:fs";
import {
  connectManifest,
  connectScript,
  sessionsProgram,
} from "../../../../app/features/servers/connect-script/connect-script.ts";
import { scriptTexts } from "../../deployments/bundle.ts";

const folder = "app/features/servers/connect-script";
const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8");

/** The script as machines get it. */
export const connectText = connectScript(
  read,
  readFileSync("app/features/deployments/bundle/scripts/layout.py", "utf8"),
);

/** The manifest as clusters get it. */
export const manifestText = connectManifest(read);

/** The program for sessions as machines get it. */
export const sessionsText = sessionsProgram(read, scriptTexts);
