import { bundle as bundleOf } from "../../../app/features/deployments/bundle/bundle.ts";
import type {
  Bundle,
  Connection,
  Secrets,
} from "../../../app/features/deployments/bundle/bundle-types.ts";
import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { readScriptFiles } from "../../../scripts/bundle/script-files.ts";

export const scriptTexts = readScriptFiles();

/** The files of a deployment, with the scripts as they are in the repository. */
export function bundle(
  options: DeploymentOptions,
  secrets?: Secrets,
  connection?: Connection,
): Bundle {
  return bundleOf(options, scriptTexts, secrets, connection);
}
