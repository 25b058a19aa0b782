import { providers } from "../provider-table.ts";
import type { ProviderId } from "../providers.ts";

/** Begins a command that packs user data as a MIME message with gzip in base64: text, as providers want, that cloud-init unpacks. */
const packed =
  "{ printf 'MIME-Version: 1.0\\nContent-Type: application/gzip\\nContent-Transfer-Encoding: base64\\n\\n'; gzip -9nc";

/** Whether create-vm.sh passes user data over the provider's limit through a bucket. */
export function hasBucket(provider: ProviderId): boolean {
  return provider === "aws" || provider === "oracle";
}

/**
 * Whether create-vm.sh copies the files to the machine by SSH where user data is over the provider's limit even when
 * compressed. The limits of these are the only ones without a bucket that a bundle reaches.
 */
export function isCopiedBySsh(provider: ProviderId): boolean {
  return provider === "hetzner" || provider === "ovh";
}

/** The same for a person to run in the folder of cloud-init.yaml. */
export const packUserData = `${packed} cloud-init.yaml | base64; } >user-data.txt`;

/**
 * Compresses user data over the provider's limit. Where that is not enough, the files are copied by SSH later, or it ends
 * before anything is created. AWS and Oracle accept bytes instead of text and have buckets, so their own commands do this.
 */
export function compressUserData(provider: ProviderId): string {
  const { label, userDataLimit: limit } = providers[provider];
  if (hasBucket(provider) || limit === null) return "";
  const begin = isCopiedBySsh(provider) ? "by_ssh=\n" : "";
  return `${begin}if [ "$(wc -c <"$USER_DATA")" -gt ${limit} ]; then
  ${packed} "$USER_DATA" | base64; } >"$work/user-data"
  USER_DATA=$work/user-data
  [ "$(wc -c <"$USER_DATA")" -le ${limit} ] || {
${isCopiedBySsh(provider) ? leaveOut : refuse(label, limit)}
  }
fi
`;
}

const leaveOut = `    by_ssh=yes
    printf '#cloud-config\\n{}\\n' >"$USER_DATA"`;

const refuse = (label: string, limit: number): string =>
  `    echo "Even compressed, cloud-init.yaml is larger than the ${limit} bytes that ${label} takes." >&2
    echo "Create the machine without user data, and copy the files to it as README.md shows." >&2
    exit 65`;
