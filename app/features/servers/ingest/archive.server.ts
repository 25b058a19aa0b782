import { archiveHash, archiveOf } from "~/features/deployments/bundle/archive";
import { bundle } from "~/features/deployments/bundle/bundle";
import { writtenFiles } from "~/features/deployments/bundle/files/cloud-init";
import { knownBadVersions } from "~/features/deployments/bundle/files/deployment-env";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import { scriptTexts } from "~/features/deployments/bundle/script-files";
import type { FileInputs } from "../state/file-inputs";

/** With the advisories of today, so that a release of ours that knows of more of them makes the same archive. */
export function withKnownBad(inputs: FileInputs): FileInputs {
  const { options } = parseOptions(inputs.options);
  return options ? { ...inputs, knownBad: knownBadVersions(options) } : inputs;
}

/**
 * The archive, made anew with the token that a machine sent; undefined where it is not the one with this hash, because the
 * generator has changed since.
 */
export function makeArchive(
  { options: stored, version, url, knownBad }: FileInputs,
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
