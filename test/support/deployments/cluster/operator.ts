import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../bundle.ts";
import { optionsFrom } from "../bundle-cases.ts";
import { textOf } from "../bundle-checks.ts";
import type { Machine } from "../machine.ts";
import { clusterOptions } from "./cluster-machines.ts";

/**
 * A person's own computer, with cluster.sh of the zip and an ssh that leads to machines of this test by their public
 * addresses: the real one gives the words to the shell of the machine, and fails with 255 where none answers.
 */
export function operator(
  machines: Readonly<Record<string, Machine>>,
  typed: Record<string, unknown> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "livekit-operator-"));
  mkdirSync(join(folder, "commands"));
  mkdirSync(join(folder, "hosts"));
  const made = bundle(
    optionsFrom({
      ...{ domain: "livekit.example.com", provider: "hetzner" },
      ...clusterOptions,
      ...typed,
    }),
  );
  writeFileSync(join(folder, "cluster.sh"), textOf(made, "cluster.sh"));
  for (const [host, { folder: there }] of Object.entries(machines))
    writeFileSync(join(folder, "hosts", host), there);
  const ssh = join(folder, "commands", "ssh");
  writeFileSync(
    ssh,
    `#!/bin/sh
printf 'ssh %s\\n' "$*" >>"$OPERATOR/calls"
while :; do case $1 in -o | -i | -p | -J) shift 2 ;; *) break ;; esac; done
host=\${1#*@}
shift
there=$(cat "$OPERATOR/hosts/$host" 2>/dev/null) || { echo "ssh: connect to host $host port 22: Connection refused" >&2; exit 255; }
export LIVEKIT_DEPLOY_ROOT="$there/root" MACHINE="$there/control" PATH="$there/commands:$PATH"
cd "$there"
case "$*" in
"sudo sh -s") sed "s|/opt/livekit|$there/root/opt/livekit|g" | sh -s ;;
*) exec sh -c "$(printf %s "$*" | sed "s|/opt/livekit|$there/root/opt/livekit|g")" ;;
esac
`,
  );
  chmodSync(ssh, 0o755);
  return {
    folder,
    run(args: readonly string[], environment: Record<string, string> = {}) {
      const { status, stdout, stderr } = spawnSync("dash", [join(folder, "cluster.sh"), ...args], {
        env: {
          ...process.env,
          PATH: `${join(folder, "commands")}:${process.env.PATH}`,
          OPERATOR: folder,
          ...environment,
        },
        encoding: "utf8",
        cwd: folder,
      });
      return { status, output: stdout + stderr };
    },
    write: (name: string, content: string) => writeFileSync(join(folder, name), content),
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    has: (name: string) => existsSync(join(folder, name)),
    calls: () =>
      existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8") : "",
    forget: () => rmSync(join(folder, "calls"), { force: true }),
    /** From now on no SSH reaches this host. */
    cutOff: (host: string) => rmSync(join(folder, "hosts", host)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
