import { readdirSync, readFileSync, statSync } from "node:fs";
import type { Machine } from "./machine.ts";

/** Everything that a backup is for: each file's bytes, mode and owner. */
export function stateOf(server: Machine): Record<string, string> {
  const folder = server.path("opt/livekit");
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => !/^(state|bin|out)(\/|$)/.test(name))
      .sort()
      .map((name) => {
        const { mode, uid, gid } = statSync(`${folder}/${name}`);
        const bytes = statSync(`${folder}/${name}`).isFile()
          ? readFileSync(`${folder}/${name}`, "base64")
          : "";
        return [name, `${mode.toString(8)} ${uid}:${gid} ${bytes}`];
      }),
  );
}

/** The version that a server has beside its state: units, firewall, kernel settings and scripts, with their modes. */
export function versionOn(server: Machine): Record<string, string> {
  const names = ["etc", "usr", "opt/livekit/bin"].flatMap((folder) =>
    readdirSync(server.path(folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((name) => statSync(server.path(name)).isFile()),
  );
  return Object.fromEntries(
    names.sort().map((name) => [name, `${server.mode(name)} ${server.read(name)}`]),
  );
}
