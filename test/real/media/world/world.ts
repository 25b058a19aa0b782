import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { externalAccount, outsideNames } from "./authority.ts";
import { outcomeOf } from "./commands.ts";
import { address, makeNetwork, type NetworkOptions } from "./network.ts";
import type { OutsideSettings } from "./outside.ts";
import { startProgram } from "./program.ts";

export interface WorldOptions extends NetworkOptions {
  /** Whether the provider's metadata knows the machine's public address. */
  metadata: boolean;
  /** The machine's names, and which addresses they lead to. */
  names: readonly string[];
  records: readonly ("A" | "AAAA")[];
}

/** The servers that LiveKit asks for its address by default. */
const stunNames = ["global.stun.twilio.com", "stun.l.google.com", "stun1.l.google.com"];

export type World = Awaited<ReturnType<typeof startWorld>>;

/** The network, and everything around the machine: names, certificates, images, the provider's metadata. */
export async function startWorld(changes: Partial<WorldOptions> = {}) {
  const options: WorldOptions = {
    nat: true,
    hairpin: true,
    four: true,
    six: false,
    stun: false,
    media: 0,
    metadata: true,
    names: ["livekit.example.com", "turn.livekit.example.com"],
    records: ["A"],
    ...changes,
  };
  const { programs, authority, keyFile, certificateFile, images } = inject("media");
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "real-media-"));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const network = started.use(makeNetwork(options));
  network.letThrough("all");
  const outside = network.at("outside");
  const start = async (command: string[], ready: RegExp, environment?: Record<string, string>) =>
    started.use(await startProgram(command, ready, environment));

  await start(
    [
      ...[...outside, programs["pebble-challtestsrv"], "-dnsserver", ":53"],
      ...["-defaultIPv4", "", "-defaultIPv6", ""],
      ...[
        "-management",
        "127.0.0.1:8055",
        "-http01",
        "",
        "-https01",
        "",
        "-tlsalpn01",
        "",
        "-doh",
        "",
      ],
    ],
    /management/i,
  );
  const name = async (path: string, content: object) => {
    const url = `http://127.0.0.1:8055/${path}`;
    const { status, output } = await outcomeOf([
      ...[...outside, "curl", "-fsS", "--data", JSON.stringify(content), url],
    ]);
    if (status !== 0) throw new Error(`${path}: ${output}`);
  };
  const lead = async (host: string, four: string | false, six: string | false) => {
    if (four) await name("add-a", { host: `${host}.`, addresses: [four] });
    if (six) await name("add-aaaa", { host: `${host}.`, addresses: [six] });
  };
  for (const host of [...outsideNames, ...stunNames])
    await lead(host, options.four && address.outside.four, options.six && address.outside.six);
  const { records } = options;
  for (const host of options.names)
    await lead(
      host,
      records.includes("A") && address.machine.public,
      records.includes("AAAA") && address.machine.six,
    );

  const pebble = {
    listenAddress: "127.0.0.1:14000",
    managementListenAddress: "127.0.0.1:15000",
    certificate: certificateFile,
    privateKey: keyFile,
    httpPort: 80,
    tlsPort: 443,
    externalAccountMACKeys: { [externalAccount.eab_kid]: externalAccount.eab_hmac_key },
  };
  writeFileSync(join(folder, "pebble.json"), JSON.stringify({ pebble }));
  const resolver = options.four ? address.outside.four : `[${address.outside.six}]`;
  await start(
    [
      ...outside,
      programs.pebble,
      "-config",
      join(folder, "pebble.json"),
      "-dnsserver",
      `${resolver}:53`,
    ],
    /management|listening/i,
    { PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "0" },
  );
  const settings: OutsideSettings = {
    keyFile,
    certificateFile,
    authority,
    images,
    stun: options.stun,
    console: join(folder, "console.sock"),
    limits: join(folder, "limits"),
  };
  mkdirSync(settings.limits);
  writeFileSync(join(folder, "outside.json"), JSON.stringify(settings));
  const here = import.meta.dirname;
  const answers = await start(
    [...outside, process.execPath, join(here, "outside.ts"), join(folder, "outside.json")],
    /ready/,
  );
  await start(
    [
      ...[...network.at("gateway"), process.execPath, join(here, "metadata.ts")],
      ...(options.metadata ? [address.machine.public] : []),
    ],
    /ready/,
  );
  const roots = await outcomeOf([...outside, "curl", "-fsSk", "https://127.0.0.1:15000/roots/0"]);
  if (roots.status !== 0) throw new Error(`Pebble's root: ${roots.output}`);
  mkdirSync(join(folder, "trusted"));
  const trusted = join(folder, "trusted", "roots.pem");
  writeFileSync(trusted, roots.output);

  const transferred = started.move();
  return {
    options,
    network,
    folder,
    /** Where the answers of console.example.com come from, once a test listens there. */
    consoleSocket: settings.console,
    /** A folder: a file with the name of an authority has the words with which that one limits its certificates. */
    limits: settings.limits,
    /** The file with the root of every certificate that the machine gets. */
    trusted,
    roots: roots.output,
    /** Events that LiveKit has posted to hooks.example.com, each with its token. */
    hooks: () =>
      answers.lines
        .filter((line) => line.startsWith("hook "))
        .map((line) => {
          const [, event = "", token = ""] = line.split(" ");
          return { event, token };
        }),
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}
