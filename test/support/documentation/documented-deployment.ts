import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import type { Port } from "~/features/deployments/bundle/bundle-types.ts";
import { servicesOf } from "~/features/deployments/bundle/options/derived-options.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { bundle } from "../deployments/bundle.ts";
import { optionsFrom } from "../deployments/bundle-cases.ts";
import { runningMachine } from "../deployments/machine.ts";
import { optionLines, strictCommands } from "./strict-commands.ts";

/** The deployment that the pages describe: everything that can be had for livekit.example.com. */
export const deploymentOfThePages = {
  domain: "livekit.example.com",
  ingress: "both",
  recording: { kind: "local" },
  monitoring: "24/7",
  sip: { kind: "on" },
  backups: { frequency: "daily" },
  webhooks: ["https://app.example.com/livekit/events"],
  insights: { kind: "machine" },
  agent: { kind: "image", image: "registry.example.com/team/agent:1.4.2" },
};

const options = optionsFrom(deploymentOfThePages);
const { files, ports, dnsRecords } = bundle(options);

const listed = (words: Iterable<string>) => ` ${[...new Set(words)].join(" ")} `;
const tcpPortsFor = (whom: Port["audience"]) =>
  ports
    .filter(({ audience, protocol }) => audience === whom && protocol === "tcp")
    .map((port) => port.ports);
const scheduled = bundle(optionsFrom({ ...deploymentOfThePages, updates: "weekly" }));
const units = scheduled.files.flatMap(({ path }) =>
  /\.(service|timer)$/.test(path) ? [path, path.replace(/\.\w+$/, "")] : [],
);

/** Packages that the samples are tried with, in the versions of package.json. */
const manifest: Record<"dependencies" | "devDependencies", Record<string, string>> = JSON.parse(
  readFileSync("package.json", "utf8"),
);

const zipped = zipOf(files);

/** What the page about another domain moves it to. The former name leads to the server too. */
const moved = bundle(
  optionsFrom({
    ...deploymentOfThePages,
    domain: "livekit.example.org",
    extraDomains: [deploymentOfThePages.domain],
  }),
);
const movedZip = zipOf(moved.files);

/** The address of the new machine to which a page moves a server. */
const newMachine = "203.0.113.9";

/** A certificate as `openssl s_client` prints one. The tests of a run share it. */
function certificate(): string {
  const file = join(inject("bootedMachines"), "certificate.pem");
  if (existsSync(file)) return file;
  const key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  const request = `req -x509 ${key} -keyout ${file}.key -out ${file} -days 60 -subj /CN=${deploymentOfThePages.domain}`;
  const { status, stderr } = spawnSync("openssl", request.split(" "), { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return file;
}

/** What runs for real. A command that is neither here nor one of the strict ones is refused, not run. */
const readers = "base64 cat cp cut grep gzip head jq ls sed sort tail tar uniq wc".split(" ");
const harmless = ["bash", "date", "df", "openssl", "tr", ...readers];

function harmlessProgramsIn(folder: string): string {
  const path = join(folder, "programs");
  mkdirSync(path);
  for (const name of harmless) {
    const found = (process.env.PATH ?? "").split(":").find((each) => existsSync(join(each, name)));
    if (found) symlinkSync(join(found, name), join(path, name));
  }
  return path;
}

/** Folders of the machine are below the folder that plays it. */
const onMachine = (text: string, root: string) =>
  text.replaceAll(/(?<![\w.:/-])\/(opt|root|etc|usr|var)(?=[/\s])/g, `${root}/$1`);

/** Whether the line, or the comment above it, says that its command fails. */
const isDocumentedFailure = (lines: readonly string[], index: number) =>
  [lines[index], /^\s*#.*/.exec(lines[index - 1] ?? "")?.[0]].join("\n").includes("must fail");

/**
 * Runs documented commands in one bash, and returns what was not true of them: nothing when all was. `shown` are files
 * that the page shows by their names, `folder` is where on the machine the reader is; by default they are at home.
 */
export function untrueCommands(
  commands: string,
  pageFiles: Readonly<Record<string, string>>,
  folder?: string,
): string {
  using server = runningMachine(deploymentOfThePages);
  using temporary = mkdtempDisposableSync(join(tmpdir(), "documented-"));
  const inside = (name: string) => join(temporary.path, name);
  const put = (name: string, content: string) => {
    mkdirSync(dirname(inside(name)), { recursive: true });
    writeFileSync(inside(name), content);
  };
  // A reader of the pages has the bundle, its zip and a key at hand.
  for (const { path, content } of files) put(`home/${path}`, content);
  for (const [name, content] of Object.entries(pageFiles)) put(`home/${name}`, content);
  const start = folder === undefined ? inside("home") : server.path(folder);
  writeFileSync(join(start, `${deploymentOfThePages.domain}-v2.zip`), zipped);
  writeFileSync(join(start, "livekit.example.org-v3.zip"), movedZip);
  put("home/.ssh/id_ed25519.pub", "ssh-ed25519 AAAA you\n");
  put("home/images.tar", "images\n");
  mkdirSync(server.path("root"), { recursive: true, mode: 0o700 });
  // What the pages read of a machine that has been in use: a recording, what agents recorded, and what boots and updates
  // said. systemd leads from the name of a folder to the place that only root reads.
  server.write("var/lib/private/livekit-insights/AJ_abcdefgh1234/transcript.json", "[]\n");
  symlinkSync("private/livekit-insights", server.path("var/lib/livekit-insights"));
  server.write("opt/livekit/out/lesson-2026-11-23T101500.mp4", "recorded\n");
  server.write("var/log/cloud-init-output.log", "Cloud-init finished.\n");
  server.write("opt/livekit/session-names.key", "0f".repeat(32), 0o600);
  server.write("opt/livekit/state/update.log", "A service is not healthy.\n");
  server.write("opt/livekit/state/failed-update.log", "livekit-1  | starting\n");
  // Whatever is opened is listened on, so that the doctor has nothing to say.
  for (const port of ports.filter(({ audience }) => audience === "public"))
    server.add(`listening-${port.protocol}`, `LISTEN 0 0 0.0.0.0:${port.ports} 0.0.0.0:*\n`);
  const script = onMachine(commands, server.root);
  // The last command is true, so that only those of the page are reported.
  put("commands.sh", `${script}\n:\n`);
  const { stderr, status } = spawnSync(
    "bash",
    ["-c", `${strictCommands}\ntrap 'echo "$LINENO" >>"$FAILED"' ERR\n. "$COMMANDS"`],
    {
      cwd: start,
      encoding: "utf8",
      // What the commands that ask are answered.
      input: "typed\n".repeat(10),
      env: {
        ...server.environment,
        PATH: harmlessProgramsIn(temporary.path),
        MACHINE_PATH: server.environment.PATH,
        HOME: inside("home"),
        COMMANDS: inside("commands.sh"),
        FAILED: inside("failed"),
        REFUSED: inside("refused"),
        OPTIONS: optionLines(),
        READERS: listed(readers),
        SERVICES: listed(servicesOf(options)),
        NAMES: listed([
          ...[...dnsRecords, ...moved.dnsRecords].map(({ name }) => name),
          newMachine,
        ]),
        UNITS: listed([...units, "docker"]),
        TCP_PORTS: listed(tcpPortsFor("public")),
        INTERNAL_PORTS: listed(tcpPortsFor("internal")),
        CERTIFICATE: certificate(),
        SITE: "the-address-of-this-site",
        PACKAGES: listed(
          Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map((each) =>
            each.join("@"),
          ),
        ),
      },
    },
  );
  if (status === null) throw new Error("bash did not run the commands to their end.");
  const linesOf = (name: string) =>
    existsSync(inside(name)) ? readFileSync(inside(name), "utf8").split("\n").filter(Boolean) : [];
  const lines = commands.split("\n");
  const failures = linesOf("failed").map((number) => {
    const index = Number(number) - 1;
    return { line: `${number} ${lines[index]}`, index };
  });
  const untrue = [
    ...linesOf("refused"),
    ...failures.filter(({ index }) => !isDocumentedFailure(lines, index)).map(({ line }) => line),
    ...lines
      .map((line, index) => ({ line, index }))
      .filter(({ line, index }) => !line.startsWith("#") && isDocumentedFailure(lines, index))
      .filter(({ index }) => !failures.some((failure) => failure.index === index))
      .map(({ line }) => `did not fail: ${line}`),
  ];
  return untrue.length > 0 ? [...untrue, stderr].join("\n") : "";
}
