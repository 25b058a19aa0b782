import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callKey, callSecret } from "../../support/deployments/call-server.ts";
import { findProgram } from "./requirements.ts";
import type { ServerNetwork } from "./server-network.ts";
import { spoolFolders } from "./spool-folders.ts";

/** The folders of a machine, and Caddy as its program at port 443, with the certificate of the network. */
export function machineFolders() {
  const folders = spoolFolders({ key: callKey, secret: callSecret });
  const { root } = folders;
  writeFileSync(join(root, "caddy.json"), folders.caddy);
  const front: NonNullable<ServerNetwork["front"]> = (key, certificate) => {
    const both = readFileSync(certificate, "utf8") + readFileSync(key, "utf8");
    writeFileSync(join(root, "data/given/both.pem"), both);
    const config = ["--config", join(root, "caddy.json")];
    return { command: [findProgram("caddy"), "run", ...config], word: "serving initial" };
  };
  return { ...folders, front };
}
