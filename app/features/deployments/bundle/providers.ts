/** The providers. `other` is any machine with Ubuntu that the customer creates without create-vm.sh. */
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
const architectureIds = ["amd64", "arm64"] as const;
const addressIds = ["ipv4", "dual", "ipv6"] as const;

export type ProviderId = (typeof providerIds)[number];
export type RegionId = (typeof regionIds)[number];
export type SizeId = (typeof sizeIds)[number];
type ArchitectureId = (typeof architectureIds)[number];
type AddressesId = (typeof addressIds)[number];

type Sizes = Record<SizeId, { name: string; cores: number }>;

export type Provider = {
  label: string;
  /** The provider's names of our four regions. */
  regions: Record<RegionId, string>;
  /** Where those regions are, in words. */
  places: Record<RegionId, string>;
  /** The form of this provider's region names, of which customers may write any, and an example that exists. */
  customRegion: { form: RegExp; example: string };
  sizes: Sizes;
  /** The provider's name of its image of Ubuntu 24.04. */
  ubuntu: string;
  /** Machines with ARM processors; null where the provider has none. */
  arm: {
    sizes: Sizes;
    ubuntu: string;
    /** The regions that have such machines. Absent when all have. */
    regions?: readonly string[];
  } | null;
  /** The most bytes of user data, before any encoding; null where we do not know. */
  userDataLimit: number | null;
  /** Whether the size of the machine decides the size of the disk, so that nobody chooses it. */
  diskInSize: boolean;
  /** The smallest disk in GB that the image needs, where that is more than the 20 GB that customers may choose. */
  leastDisk?: number;
  /** Which addresses create-vm.sh can give a machine. */
  addresses: readonly AddressesId[];
};

export function isRegionId(region: string): region is RegionId {
  return regionIds.some((id) => id === region);
}

/** The options that decide which machine is created. */
export type MachineChoice = {
  provider: ProviderId;
  region: string;
  size: SizeId;
  architecture: ArchitectureId;
};
