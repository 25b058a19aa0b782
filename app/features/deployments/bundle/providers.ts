/** Where a machine can stand. `other` is any machine with Ubuntu that the customer makes without our commands. */
export const providerIds = [
  "aws",
  "azure",
  "digital-ocean",
  "google-cloud",
  "hetzner",
  "ovh",
  "vultr",
  "linode",
  "oracle",
  "other",
] as const;
export const regionIds = ["us-east", "us-west", "eu-west", "asia-pacific"] as const;
export const sizeIds = ["small", "medium", "large"] as const;
export const architectureIds = ["amd64", "arm64"] as const;
export const addressIds = ["ipv4", "dual", "ipv6"] as const;

export type ProviderId = (typeof providerIds)[number];
export type RegionId = (typeof regionIds)[number];
export type SizeId = (typeof sizeIds)[number];
type ArchitectureId = (typeof architectureIds)[number];
type AddressesId = (typeof addressIds)[number];

type Sizes = Record<SizeId, { name: string; cores: number }>;

export type Provider = {
  label: string;
  /** The provider's own names. */
  regions: Record<RegionId, string>;
  /** The form of the provider's own names, of which customers may write any, and one that it has. */
  ownRegion: { form: RegExp; example: string };
  sizes: Sizes;
  /** Ubuntu 24.04 in the provider's words. */
  ubuntu: string;
  /** Machines with ARM processors; null where there are none. */
  arm: {
    sizes: Sizes;
    ubuntu: string;
    /** The regions that have them, where not all do. */
    regions?: readonly string[];
  } | null;
  /** The most bytes of user data, before any encoding; null where we do not know. */
  userDataLimit: number | null;
  /** Whether the disk belongs to the size, so that nobody chooses it. */
  diskInSize: boolean;
  /** The smallest disk in GB that the image fits on, where it is larger than ours. */
  leastDisk?: number;
  /** Which addresses create-vm.sh can give a machine. */
  addresses: readonly AddressesId[];
};

export function isRegionId(region: string): region is RegionId {
  return regionIds.some((id) => id === region);
}

/** What decides which machine it is. */
export type Place = {
  provider: ProviderId;
  region: string;
  size: SizeId;
  architecture: ArchitectureId;
};
