import { archiveHash, archiveOf } from "~/features/deployments/bundle/archive";
import { bundle } from "~/features/deployments/bundle/bundle";
import { writtenFiles } from "~/features/deployments/bundle/files/cloud-init";
import { knownBadVersions } from "~/features/deployments/bundle/files/deployment-env";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import { scriptTexts } from "~/features/deployments/bundle/script-files";

/**
 * What the archive of a new machine's files is made of: the options of a saved version, and where machines find the console.
 * It is stored with the token, until that connects no more machines; the archive is not.
 */
export type ArchiveInputs = {
  options: DeploymentOptions;
  version: number;
  url: string;
  knownBad?: string;
};

/** With the advisories of today, so that a release of ours that knows of more of them makes the same archive. */
export function withKnownBad(inputs: ArchiveInputs): ArchiveInputs {
  const { options } = parseOptions(inputs.options);
  return options ? { ...inputs, knownBad: knownBadVersions(options) } : inputs;
}

/**
 * The archive, made anew with the token that a machine sent; undefined where it is not the one with this hash, because the
 * generator has changed since.
 */
export function makeArchive(
  { options: stored, version, url, knownBad }: ArchiveInputs,
  deployment: string,
  token: string,
  wantedHash: string,
): Uint8Array<ArrayBuffer> | undefined {
  const { options } = parseOptions(stored);
  if (!options) return;
  const connection = {
    ...{ url, token, version: { deployment, number: version } },
    ...(knownBad === undefined ? {} : { knownBad }),
  };
  const { files } = bundle(options, scriptTexts, undefined, connection);
  const archive = new Uint8Array(archiveOf(writtenFiles(options, files)));
  return archiveHash(archive) === wantedHash ? archive : undefined;
}
