import type { Provider, ProviderId } from "./providers.ts";

const ssmUbuntu = (architecture: string) =>
  `resolve:ssm:/aws/service/canonical/ubuntu/server/24.04/stable/current/${architecture}/hvm/ebs-gp3/ami-id`;

const sizes = (
  small: string,
  medium: string,
  large: string,
  cores: readonly [number, number, number] = [2, 4, 8],
) => ({
  small: { name: small, cores: cores[0] },
  medium: { name: medium, cores: cores[1] },
  large: { name: large, cores: cores[2] },
});

/** Where the regions are, in their order. */
const places = (usEast: string, usWest: string, euWest: string, asiaPacific = "Singapore") => ({
  "us-east": usEast,
  "us-west": usWest,
  "eu-west": euWest,
  "asia-pacific": asiaPacific,
});

/** The names and limits of each provider. A page of the documentation shows this table too. */
export const providers: Readonly<Record<ProviderId, Provider>> = {
  aws: {
    label: "AWS",
    regions: {
      "us-east": "us-east-1",
      "us-west": "us-west-2",
      "eu-west": "eu-west-1",
      "asia-pacific": "ap-southeast-1",
    },
    places: places("Virginia", "Oregon", "Ireland"),
    customRegion: { form: /^[a-z]{2}(-[a-z]{2,12}){1,2}-\d$/, example: "eu-central-1" },
    sizes: sizes("c7i.large", "c7i.xlarge", "c7i.2xlarge"),
    ubuntu: ssmUbuntu("amd64"),
    arm: {
      sizes: sizes("c7g.large", "c7g.xlarge", "c7g.2xlarge"),
      ubuntu: ssmUbuntu("arm64"),
    },
    userDataLimit: 16_384,
    diskInSize: false,
    addresses: ["ipv4", "dual"],
  },
  azure: {
    label: "Azure",
    regions: {
      "us-east": "eastus",
      "us-west": "westus2",
      "eu-west": "westeurope",
      "asia-pacific": "southeastasia",
    },
    places: places("Virginia", "Washington", "Netherlands"),
    customRegion: { form: /^[a-z]{4,30}\d?$/, example: "germanywestcentral" },
    sizes: sizes("Standard_F2s_v2", "Standard_F4s_v2", "Standard_F8s_v2"),
    ubuntu: "Canonical:ubuntu-24_04-lts:server:latest",
    arm: {
      sizes: sizes("Standard_D2ps_v5", "Standard_D4ps_v5", "Standard_D8ps_v5"),
      ubuntu: "Canonical:ubuntu-24_04-lts:server-arm64:latest",
    },
    userDataLimit: 65_535,
    diskInSize: false,
    leastDisk: 30,
    addresses: ["ipv4", "dual"],
  },
  "digital-ocean": {
    label: "Digital Ocean",
    regions: { "us-east": "nyc3", "us-west": "sfo3", "eu-west": "ams3", "asia-pacific": "sgp1" },
    places: places("New York", "San Francisco", "Amsterdam"),
    customRegion: { form: /^[a-z]{3}\d$/, example: "fra1" },
    sizes: sizes("c-2", "c-4", "c-8"),
    ubuntu: "ubuntu-24-04-x64",
    arm: null,
    userDataLimit: 65_536,
    diskInSize: true,
    addresses: ["ipv4", "dual"],
  },
  "google-cloud": {
    label: "Google Cloud",
    regions: {
      "us-east": "us-east1",
      "us-west": "us-west1",
      "eu-west": "europe-west1",
      "asia-pacific": "asia-southeast1",
    },
    places: places("South Carolina", "Oregon", "Belgium"),
    customRegion: { form: /^[a-z]{2,15}-[a-z]{4,12}\d{1,2}$/, example: "europe-west3" },
    sizes: sizes("c3-highcpu-4", "c3-highcpu-8", "c3-highcpu-22", [4, 8, 22]),
    ubuntu: "ubuntu-2404-lts-amd64",
    arm: {
      sizes: sizes("c4a-highcpu-2", "c4a-highcpu-4", "c4a-highcpu-8"),
      ubuntu: "ubuntu-2404-lts-arm64",
    },
    userDataLimit: 262_144,
    diskInSize: false,
    addresses: ["ipv4", "dual"],
  },
  hetzner: {
    label: "Hetzner",
    regions: { "us-east": "ash", "us-west": "hil", "eu-west": "fsn1", "asia-pacific": "sin" },
    places: places("Virginia", "Oregon", "Falkenstein"),
    customRegion: { form: /^[a-z]{3}\d?$/, example: "nbg1" },
    sizes: sizes("ccx13", "ccx23", "ccx33"),
    ubuntu: "ubuntu-24.04",
    arm: {
      sizes: sizes("cax11", "cax21", "cax31"),
      ubuntu: "ubuntu-24.04",
      regions: ["fsn1", "nbg1", "hel1"],
    },
    userDataLimit: 32_768,
    diskInSize: true,
    addresses: ["ipv4", "dual", "ipv6"],
  },
  ovh: {
    label: "OVHcloud",
    regions: {
      "us-east": "US-EAST-VA-1",
      "us-west": "US-WEST-OR-1",
      "eu-west": "GRA11",
      "asia-pacific": "SGP1",
    },
    places: places("Virginia", "Oregon", "Gravelines"),
    customRegion: { form: /^[A-Z]{2,4}(-[A-Z]{2,8}){0,3}-?\d{0,2}$/, example: "BHS5" },
    sizes: sizes("c3-4", "c3-8", "c3-16"),
    ubuntu: "Ubuntu 24.04",
    arm: null,
    // OpenStack accepts 65,535 characters of base64.
    userDataLimit: 49_149,
    diskInSize: true,
    // Its network assigns IPv6 addresses, but nothing configures them on the machine.
    addresses: ["ipv4"],
  },
  vultr: {
    label: "Vultr",
    regions: { "us-east": "ewr", "us-west": "sjc", "eu-west": "ams", "asia-pacific": "sgp" },
    places: places("New Jersey", "Silicon Valley", "Amsterdam"),
    customRegion: { form: /^[a-z]{3}$/, example: "fra" },
    sizes: sizes("voc-c-2c-4gb-75s-amd", "voc-c-4c-8gb-75s-amd", "voc-c-8c-16gb-150s-amd"),
    // Vultr numbers its systems. This is Ubuntu 24.04 LTS x64.
    ubuntu: "2284",
    arm: null,
    // Vultr documents no limit. This is what a text column of a database usually holds.
    userDataLimit: 65_535,
    diskInSize: true,
    addresses: ["ipv4", "dual"],
  },
  linode: {
    label: "Linode",
    regions: {
      "us-east": "us-east",
      "us-west": "us-west",
      "eu-west": "eu-west",
      "asia-pacific": "ap-south",
    },
    places: places("Newark", "Fremont", "London"),
    customRegion: { form: /^[a-z]{2}-[a-z]{3,12}(-\d)?$/, example: "de-fra-2" },
    sizes: sizes("g6-dedicated-2", "g6-dedicated-4", "g6-dedicated-8"),
    ubuntu: "linode/ubuntu24.04",
    arm: null,
    userDataLimit: 65_535,
    diskInSize: true,
    addresses: ["ipv4", "dual"],
  },
  oracle: {
    label: "Oracle Cloud",
    regions: {
      "us-east": "us-ashburn-1",
      "us-west": "us-phoenix-1",
      "eu-west": "eu-amsterdam-1",
      "asia-pacific": "ap-singapore-1",
    },
    places: places("Virginia", "Phoenix", "Amsterdam"),
    customRegion: { form: /^[a-z]{2}-[a-z]{3,14}-\d$/, example: "eu-frankfurt-1" },
    sizes: sizes("VM.Standard.E5.Flex", "VM.Standard.E5.Flex", "VM.Standard.E5.Flex"),
    ubuntu: "Canonical Ubuntu 24.04",
    arm: {
      sizes: sizes("VM.Standard.A1.Flex", "VM.Standard.A1.Flex", "VM.Standard.A1.Flex"),
      ubuntu: "Canonical Ubuntu 24.04",
    },
    // The metadata may have 32,000 bytes. User data is in it as base64, beside the SSH key.
    userDataLimit: 22_500,
    diskInSize: false,
    leastDisk: 50,
    addresses: ["ipv4", "dual"],
  },
  other: {
    label: "Another machine",
    regions: { "us-east": "", "us-west": "", "eu-west": "", "asia-pacific": "" },
    places: places("", "", "", ""),
    customRegion: { form: /^[A-Za-z0-9-]+$/, example: "fra1" },
    sizes: sizes("", "", ""),
    ubuntu: "",
    arm: { sizes: sizes("", "", ""), ubuntu: "" },
    userDataLimit: null,
    diskInSize: true,
    addresses: ["ipv4", "dual", "ipv6"],
  },
};
