/** Where a machine can stand. `other` is any machine with Ubuntu that the customer makes without our commands. */
export const providerIds = [
  "aws",
  "azure",
  "digital-ocean",
  "google-cloud",
  "hetzner",
  "other",
] as const;
export const regionIds = ["us-east", "us-west", "eu-west", "asia-pacific"] as const;
export const sizeIds = ["small", "medium", "large"] as const;

export type ProviderId = (typeof providerIds)[number];
export type RegionId = (typeof regionIds)[number];
export type SizeId = (typeof sizeIds)[number];

type Provider = {
  label: string;
  /** The provider's own names. */
  regions: Record<RegionId, string>;
  sizes: Record<SizeId, { name: string; cores: number }>;
  /** Ubuntu 24.04 in the provider's words. */
  ubuntu: string;
  /** The most bytes of user data, before any encoding; null where we do not know. */
  userDataLimit: number | null;
};

export const providers: Record<ProviderId, Provider> = {
  aws: {
    label: "AWS",
    regions: {
      "us-east": "us-east-1",
      "us-west": "us-west-2",
      "eu-west": "eu-west-1",
      "asia-pacific": "ap-southeast-1",
    },
    sizes: {
      small: { name: "c7i.large", cores: 2 },
      medium: { name: "c7i.xlarge", cores: 4 },
      large: { name: "c7i.2xlarge", cores: 8 },
    },
    ubuntu:
      "resolve:ssm:/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id",
    userDataLimit: 16_384,
  },
  azure: {
    label: "Azure",
    regions: {
      "us-east": "eastus",
      "us-west": "westus2",
      "eu-west": "westeurope",
      "asia-pacific": "southeastasia",
    },
    sizes: {
      small: { name: "Standard_F2s_v2", cores: 2 },
      medium: { name: "Standard_F4s_v2", cores: 4 },
      large: { name: "Standard_F8s_v2", cores: 8 },
    },
    ubuntu: "Canonical:ubuntu-24_04-lts:server:latest",
    userDataLimit: 65_535,
  },
  "digital-ocean": {
    label: "Digital Ocean",
    regions: { "us-east": "nyc3", "us-west": "sfo3", "eu-west": "ams3", "asia-pacific": "sgp1" },
    sizes: {
      small: { name: "c-2", cores: 2 },
      medium: { name: "c-4", cores: 4 },
      large: { name: "c-8", cores: 8 },
    },
    ubuntu: "ubuntu-24-04-x64",
    userDataLimit: 65_536,
  },
  "google-cloud": {
    label: "Google Cloud",
    regions: {
      "us-east": "us-east1",
      "us-west": "us-west1",
      "eu-west": "europe-west1",
      "asia-pacific": "asia-southeast1",
    },
    sizes: {
      small: { name: "c3-highcpu-4", cores: 4 },
      medium: { name: "c3-highcpu-8", cores: 8 },
      large: { name: "c3-highcpu-22", cores: 22 },
    },
    ubuntu: "ubuntu-2404-lts-amd64",
    userDataLimit: 262_144,
  },
  hetzner: {
    label: "Hetzner",
    regions: { "us-east": "ash", "us-west": "hil", "eu-west": "fsn1", "asia-pacific": "sin" },
    sizes: {
      small: { name: "ccx13", cores: 2 },
      medium: { name: "ccx23", cores: 4 },
      large: { name: "ccx33", cores: 8 },
    },
    ubuntu: "ubuntu-24.04",
    userDataLimit: 32_768,
  },
  other: {
    label: "Another machine",
    regions: { "us-east": "", "us-west": "", "eu-west": "", "asia-pacific": "" },
    sizes: {
      small: { name: "", cores: 2 },
      medium: { name: "", cores: 4 },
      large: { name: "", cores: 8 },
    },
    ubuntu: "",
    userDataLimit: null,
  },
};
