import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bundle } from "~/features/deployments/bundle/bundle";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import { scriptTexts } from "~/features/deployments/bundle/script-files";
import { zipOf } from "~/features/deployments/bundle/zip";
import type { FileInputs } from "~/features/servers/state/file-inputs";
import type { Rollout } from "./rollout";

/** What an approval is of. `generator`: the release of ours that made the files. Times in milliseconds since 1970. */
type Contents = Pick<
  Rollout,
  "id" | "deployment" | "version" | "isLower" | "beginsAt" | "endsAt"
> & {
  servers: readonly string[];
  generator: string;
};

function allFiles({ options: stored, version, url, knownBad }: FileInputs, deployment: string) {
  const { options } = parseOptions(stored);
  if (!options) return;
  const connection = {
    ...{ url, version: { deployment, number: version } },
    ...(knownBad === undefined ? {} : { knownBad }),
  };
  return bundle(options, scriptTexts, undefined, connection).files;
}

/** The files of a version that a machine takes: those that it installs, with what installs them and says where. */
const files = (inputs: FileInputs, deployment: string) =>
  allFiles(inputs, deployment)?.filter(isTaken);

/** What a machine reports as its version where its files are as they are made today; undefined where they make none. */
export function reportedVersion(inputs: FileInputs, deployment: string): string | undefined {
  const found = allFiles(inputs, deployment)?.find(({ path }) => path === "version.txt");
  return found?.content.split("\n")[0]?.split(" ")[2];
}

const isTaken = ({ path, installed }: BundleFile): boolean =>
  installed !== undefined || path === "apply.sh" || path === "files.txt";

const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/**
 * The lines that approvers sign, by their hash, and that the machine holds the files against; undefined where the options
 * make no files any more.
 */
export function manifestOf(contents: Contents, inputs: FileInputs): string | undefined {
  const { id, servers, deployment, version, generator, isLower, beginsAt, endsAt } = contents;
  const made = files(inputs, deployment);
  if (!made) return;
  const lines = [
    // Scripts of before windows would begin it at once: they refuse this form.
    `livekit-deploy-rollout ${beginsAt === undefined ? 1 : 2}`,
    `rollout ${id}`,
    ...servers.map((server) => `server ${server}`),
    `deployment ${deployment}`,
    `version ${version}`,
    `generator ${generator.replace(/[^\w.-]/g, "-") || "unnamed"}`,
    `lower ${isLower ? "yes" : "no"}`,
    ...(beginsAt === undefined ? [] : [`begins ${Math.ceil(beginsAt / 1_000)}`]),
    `ends ${Math.floor(endsAt / 1_000)}`,
    ...made.map(({ path, content }) => `file ${hashOf(content)} ${path}`).toSorted(byPath),
  ];
  return `${lines.join("\n")}\n`;
}

const byPath = (one: string, other: string): number => {
  const [path, otherPath] = [one.slice(70), other.slice(70)];
  return path < otherPath ? -1 : Number(path > otherPath);
};

/**
 * The files as one zip, made anew. Undefined where they are not those of the manifest any more, because the generator has
 * changed since; the machine would refuse them.
 */
export function zipOfRollout({ manifest, inputs, deployment }: Rollout): Uint8Array | undefined {
  const made = inputs && files(inputs, deployment);
  if (!made || !manifest) return;
  const wanted = new Set(manifest.split("\n").filter((line) => line.startsWith("file ")));
  const isSame = made.every(({ path, content }) =>
    wanted.delete(`file ${hashOf(content)} ${path}`),
  );
  return isSame && wanted.size === 0 ? zipOf(made) : undefined;
}
