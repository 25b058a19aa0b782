import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { read, textOf } from "../../support/deployments/bundle-checks.ts";
import { domain } from "./server-network.ts";

/** The folders of a machine, with Caddy's configuration as its bundle has it, and the program that reads its spool. */
export function spoolFolders({ key, secret }: { key: string; secret: string }) {
  const root = mkdtempSync(join(tmpdir(), "evidence-"));
  const here = join(root, "opt/livekit");
  const [spool, scripts] = [join(here, "data/sessions"), join(root, "bin")];
  for (const folder of [spool, scripts, join(root, "data/given")]) {
    mkdirSync(folder, { recursive: true });
  }
  for (const name of ["sessions.py", "evidence.py", "spool.py", "tokens.py"]) {
    copyFileSync(`app/features/deployments/bundle/scripts/${name}`, join(scripts, name));
  }
  writeFileSync(
    join(here, "secrets.env"),
    `LIVEKIT_API_KEY=${key}\nLIVEKIT_API_SECRET='${secret}'\n`,
  );
  const options = optionsFrom({ domain, certificates: "files" });
  const made = bundle(options, undefined, { url: "https://servers.example.com" });
  const caddy = JSON.stringify(read(textOf(made, "caddy.yaml")))
    .replaceAll("/sessions/", `${spool}/`)
    .replaceAll('"/data', `"${root}/data`);
  const sessions = (...args: string[]) =>
    execFileSync("python3", [join(scripts, "sessions.py"), ...args], {
      encoding: "utf8",
      env: { ...process.env, LIVEKIT_DEPLOY_ROOT: root },
    });
  return {
    root,
    spool,
    /** Caddy's configuration, as JSON. */
    caddy,
    /** The lines that the machine's report would have now. */
    reported: () =>
      sessions("report", "hashed")
        .split("\n")
        .map((line) => line.split("\t")),
    acknowledge: (id: string, number: string) => sessions("acknowledge", id, number),
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}
