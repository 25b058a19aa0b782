import { readFileSync } from "node:fs";
import { connectScript } from "../../../../app/features/servers/connect-script/connect-script.ts";

const folder = "app/features/servers/connect-script";

/** The script as machines get it. */
export const connectText = connectScript((name) => readFileSync(`${folder}/${name}`, "utf8"));
