import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { unzipSync } from "fflate";
import { bundle } from "../../../app/features/deployments/bundle/bundle.ts";
import { parseOptions } from "../../../app/features/deployments/bundle/options/parse-options.ts";
import type { MachineFile } from "../../../fakes/machine/machine-folder.ts";
import { readScriptFiles } from "../../bundle/script-files.ts";
import { PlainFailure } from "../../lib/terminal.mjs";

/** What a machine is made of: its files, the packages that its first boot installs, and where its console is. */
export type MachineFiles = {
  files: MachineFile[];
  packages: string[];
  domain: string;
  consoleUrl: string;
  /** The token by which it connects at its first boot. */
  token: string | undefined;
  /** The version of the deployment that they are of; undefined where they do not say it. */
  version: { deployment: string; number: string; hash: string } | undefined;
};

const makeNew =
  'On the deployment\'s page download the files with "Connect this server to the console" ticked, and give that zip to npm run machine.';

/** The files of a zip as somebody downloaded it. Throws what to do where it is something else. */
export function filesOfZip(zip: string): MachineFiles {
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(readFileSync(zip));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainFailure(`${zip} cannot be read as a zip: ${reason}. ${makeNew}`);
  }
  const decoder = new TextDecoder();
  const texts = new Map(
    Object.entries(entries).map(([name, bytes]) => [
      name.slice(name.indexOf("/") + 1),
      decoder.decode(bytes),
    ]),
  );
  const list = texts.get("files.txt");
  if (list === undefined) {
    throw new PlainFailure(`${zip} is not a zip with a deployment's files. ${makeNew}`);
  }
  const files: MachineFile[] = [];
  for (const [, mode = "", name = "", path = ""] of list.matchAll(/^(0\d{3}) (\S+) (\/\S+)$/gm)) {
    if (path.includes("..")) throw new PlainFailure(`${zip} has a wrong path: ${path}`);
    files.push({ path, content: texts.get(name) ?? "", mode: Number.parseInt(mode, 8) });
  }
  const made = described(
    files,
    [...list.matchAll(/^package (\S+)$/gm)].map(([, name = ""]) => name),
  );
  if (made.token === undefined) {
    throw new PlainFailure(
      `${zip} has no token, so a machine of it would not connect. ${makeNew} Or connect one with a token: npm run machine -- --token`,
    );
  }
  return made;
}

/** A usual deployment's files, for a machine that is connected later, with a typed token. */
export function usualFiles(consoleUrl: string): MachineFiles {
  const { options, problems } = parseOptions({
    domain: "livekit.example.com",
    email: "ops@example.com",
  });
  if (problems) throw new Error(problems.map(({ message }) => message).join("\n"));
  const { files } = bundle(options, readScriptFiles(), undefined, { url: consoleUrl });
  const installed = files.flatMap(({ installed, content }) =>
    installed ? [{ path: installed.path, content, mode: Number.parseInt(installed.mode, 8) }] : [],
  );
  return described(installed, []);
}

function described(files: MachineFile[], packages: string[]): MachineFiles {
  const at = (path: string) => files.find((file) => file.path === path)?.content;
  const { CONSOLE_URL: consoleUrl, DOMAIN: domain = "" } = parseEnv(
    at("/opt/livekit/deployment.env") ?? "",
  );
  if (!consoleUrl) {
    throw new PlainFailure(
      `These files know no console: they come from a site without one. ${makeNew}`,
    );
  }
  const token = at("/opt/livekit/enrolment-token")?.trim();
  const [, deployment = "", number = "", hash = ""] =
    /^(\S+) (\d+) ([0-9a-f]{64})$/m.exec(at("/opt/livekit/version.txt") ?? "") ?? [];
  const version = hash ? { deployment, number, hash } : undefined;
  return { files, packages, domain, consoleUrl, token, version };
}
