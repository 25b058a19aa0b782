import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { bundle } from "./bundle.ts";
import { optionsFrom } from "./bundle-cases.ts";
import { addressesOf, commandLines, type Provider } from "./provider-command-lines.ts";

/** A customer with the files of a deployment, and with their provider's command line. */
export function providerAccount(
  provider: Provider,
  addresses = addressesOf(provider)[0],
  userData?: string,
) {
  const { tool, body, needs } = commandLines[provider];
  const folder = mkdtempDisposableSync(join(tmpdir(), "provider-"));
  const path = (name: string) => join(folder.path, name);
  const { files } = bundle(optionsFrom({ provider, domain: "livekit.example.com", addresses }));
  const given = files.map(({ path: name, content }) =>
    name === "cloud-init.yaml" ? [name, userData ?? content] : [name, content],
  );
  for (const [name = "", content = ""] of given) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  }
  mkdirSync(path("commands"));
  writeFileSync(
    path(`commands/${tool}`),
    `#!/bin/sh\ncd "${folder.path}"\nprintf '%s\\n' "$(printf %s "$*" | tr '\\n' ' ')" >>calls\n${body}\n`,
    { mode: 0o755 },
  );
  writeFileSync(path("commands/sleep"), `#!/bin/sh\n: >"${path("waited")}"\n`, { mode: 0o755 });
  writeFileSync(path("key.pub"), "ssh-ed25519 AAAA\n");
  return {
    run(given: Record<string, string> = needs) {
      rmSync(path("calls"), { force: true });
      const { status, stdout, stderr } = spawnSync("sh", ["./create-vm.sh"], {
        encoding: "utf8",
        cwd: folder.path,
        env: {
          ...process.env,
          TMPDIR: folder.path,
          PATH: `${path("commands")}:${process.env.PATH}`,
          HOME: folder.path,
          KEY_NAME: "",
          SSH_KEY: "",
          ...given,
        },
      });
      const calls = existsSync(path("calls")) ? readFileSync(path("calls"), "utf8") : "";
      return { status, output: stdout + stderr, calls };
    },
    folder: folder.path,
    files,
    command: (name: string, body: string) =>
      writeFileSync(path(`commands/${name}`), body.replace("\n", `\ncd "${folder.path}"\n`), {
        mode: 0o755,
      }),
    has: (name: string) => existsSync(path(name)),
    set: (name: string) => writeFileSync(path(name), ""),
    read: (name: string) => readFileSync(path(name)),
    userData: readFileSync(path("cloud-init.yaml"), "utf8"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** What cloud-init makes of user data: a mail with gzip in base64, gzip, or the text itself. */
export function unpacked(sent: Buffer): string {
  const [, mail] = /^MIME-Version: 1\.0\n[\s\S]*?\n\n([\s\S]+)/.exec(sent.toString()) ?? [];
  const bytes = mail === undefined ? sent : Buffer.from(mail, "base64");
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
}

/** User data of which gzip makes about as many bytes. */
export function incompressible(bytes: number): string {
  const noise = createHash("shake256", { outputLength: bytes }).update("noise");
  return `#cloud-config\n# ${noise.digest("base64")}\n`;
}
