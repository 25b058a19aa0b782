import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type ScriptName,
  type ScriptTexts,
  scriptTextsBy,
} from "../../app/features/deployments/bundle/script-texts.ts";

/** The texts of the scripts, as `bundle()` takes them. */
export function readScriptFiles(): ScriptTexts {
  return scriptTextsBy((name) => readFileSync(fileOf(name), "utf8"));
}

function fileOf(name: ScriptName): string {
  const folder = "../../app/features/deployments/bundle/scripts/";
  return fileURLToPath(new URL(folder + name, import.meta.url));
}
