import type { BundleFile } from "../../bundle-types.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import type { ProviderId } from "../../providers.ts";
import { hclString } from "../../quoting.ts";
import type { ScriptValues } from "../script-parts.ts";
import { hasBucket } from "../user-data-commands.ts";

/** The file that a new machine gets as user data: the short one, where the bundle has it. */
export const userDataFileOf = (files: readonly BundleFile[]): string =>
  files.some(({ path }) => path === "user-data.py") ? "user-data.py" : "cloud-init.yaml";

/** Google takes twice what a bundle has. */
const neverTooLarge: readonly ProviderId[] = ["google-cloud"];

/** How main.tf passes user data on, and from which length of it the provider refuses the machine. */
export function userDataValues(
  options: DeploymentOptions,
  files: readonly BundleFile[],
): ScriptValues {
  const { label, userDataLimit } = providers[options.provider];
  const limit = userDataLimit ?? 0;
  const packsBytes = hasBucket(options.provider);
  const isPlain = neverTooLarge.includes(options.provider);
  const file = userDataFileOf(files);
  const isConnected = files.some(({ path }) => path === "enrolment-token");
  return {
    USER_DATA_FILE: hclString(file),
    BROWSER_SECRETS: options.secrets === "browser" && file === "cloud-init.yaml",
    TOKEN: isConnected,
    PLAIN: isPlain,
    GZIP: packsBytes,
    PACKED: !isPlain && !packsBytes,
    LIMITED: !isPlain,
    // Bytes that are compressed are counted before base64, which makes four letters of three of them.
    LIMIT: String(packsBytes ? Math.ceil(limit / 3) * 4 : limit),
    TOO_LARGE: hclString(
      `This user data is larger than the ${limit} bytes that ${label} takes. For a new machine, make user data of a kilobyte on the deployment's page, save it as user-data.py in this folder and set user_data_file to that; or use create-vm.sh.`,
    ),
  };
}
