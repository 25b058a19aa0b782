import { readFileSync } from "node:fs";
import { connectScript } from "../../../../app/features/servers/connected/connect-script.ts";

const folder = "app/features/servers/connected";

/** The script as machines get it. */
export const connectText = connectScript((name) => readFileSync(`${folder}/${name}`, "utf8"));
