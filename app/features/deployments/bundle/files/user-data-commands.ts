import { providers } from "../provider-table.ts";
import type { ProviderId } from "../providers.ts";

/** What makes of the file what cloud-init unpacks although providers take text only: a mail with gzip in base64. */
const packed =
  "{ printf 'MIME-Version: 1.0\\nContent-Type: application/gzip\\nContent-Transfer-Encoding: base64\\n\\n'; gzip -9nc";

/** Where create-vm.sh hands user data over through a bucket when it is larger than the provider takes. */
export function hasBucket(provider: ProviderId): boolean {
  return provider === "aws" || provider === "oracle";
}

/** The same for a person to run, beside cloud-init.yaml. */
export const packUserData = `${packed} cloud-init.yaml | base64; } >user-data.txt`;

/** Puts into USER_DATA what the provider takes, or ends before anything is created. AWS and Oracle take bytes, and have buckets. */
export function compressUserData(provider: ProviderId): string {
  const { label, userDataLimit: limit } = providers[provider];
  if (hasBucket(provider) || limit === null) return "";
  return `if [ "$(wc -c <"$USER_DATA")" -gt ${limit} ]; then
  ${packed} "$USER_DATA" | base64; } >"$work/user-data"
  USER_DATA=$work/user-data
  [ "$(wc -c <"$USER_DATA")" -le ${limit} ] || {
    echo "Even compressed, cloud-init.yaml is larger than the ${limit} bytes that ${label} takes." >&2
    echo "Create the machine without user data, and copy the files to it as README.md shows." >&2
    exit 65
  }
fi
`;
}
