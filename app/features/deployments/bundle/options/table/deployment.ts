import * as z from "zod/mini";
import { providers } from "../../provider-table.ts";
import { providerIds } from "../../providers.ts";
import { choiceOption, type OptionDocs, type Options } from "../option.ts";
import { numberField, regionField } from "../option-fields.ts";
import { choice } from "../question.ts";

/** The answer that asks for a provider's own name of a region. */
const customRegionChoice = "own";

/** What the machine is and where it stands. */
export const deploymentOptions = {
  provider: {
    onRunningServer: "machine",
    ...choiceOption(
      {
        field: "provider",
        label: "Provider",
        compact: true,
        choices: providerIds.map((id) => choice(id, providers[id].label)),
      },
      "aws",
    ),
  },
  region: {
    onRunningServer: "machine",
    field: () => z._default(regionField, "us-east"),
    questions: [
      {
        kind: "choice",
        field: "region",
        label: "Region",
        compact: true,
        other: customRegionChoice,
        choices: [
          choice("us-east", "US East"),
          choice("us-west", "US West"),
          choice("eu-west", "EU West"),
          choice("asia-pacific", "Asia Pacific"),
          choice(customRegionChoice, "Another"),
        ],
      },
      {
        kind: "when",
        field: "region",
        values: [customRegionChoice],
        questions: [
          {
            kind: "text",
            field: "region.own",
            path: "region",
            label: "Name of the region",
            placeholder: "eu-central-1",
            hint: "As your provider calls it.",
          },
        ],
      },
    ],
  },
  size: {
    onRunningServer: "resize",
    ...choiceOption(
      {
        field: "size",
        label: "Instance type",
        hint: "Recording a whole room takes four cores, beside its calls: choose Large for it.",
        choices: [
          choice("small", "Small", "2 cores: trying it out, small meetings."),
          choice("medium", "Medium", "4 cores: everyday meetings, single tracks recorded."),
          choice("large", "Large", "8 cores: large rooms, and rooms recorded whole."),
        ],
      },
      "medium",
    ),
  },
  architecture: {
    onRunningServer: "machine",
    fold: "Machine and addresses",
    ...choiceOption(
      {
        field: "architecture",
        label: "Processor",
        choices: [
          choice("amd64", "Intel or AMD", "At every provider."),
          choice(
            "arm64",
            "ARM",
            "At AWS, Azure, Google Cloud, Oracle Cloud, Hetzner in Europe, or on another machine.",
          ),
        ],
      },
      "amd64",
    ),
  },
  disk: {
    onRunningServer: "resize",
    fold: "Machine and addresses",
    field: () => numberField(20, 4096, 40),
    questions: [
      {
        kind: "text",
        field: "disk",
        label: "Disk in GB",
        type: "number",
        hint: "From 20 to 4096. At Digital Ocean, Hetzner, OVHcloud, Vultr and Linode the disk belongs to the size.",
      },
    ],
  },
  system: {
    onRunningServer: "machine",
    fold: "Machine and addresses",
    ...choiceOption(
      {
        field: "system",
        label: "Operating system",
        choices: [
          choice(
            "ubuntu-24.04",
            "Ubuntu 24.04",
            "At every provider. The same files run on Ubuntu 26.04, Debian 12 and Debian 13.",
          ),
          choice("amazon-linux-2023", "Amazon Linux 2023", "On AWS only."),
        ],
      },
      "ubuntu-24.04",
    ),
  },
  addresses: {
    onRunningServer: "machine",
    fold: "Machine and addresses",
    ...choiceOption(
      {
        field: "addresses",
        label: "Addresses",
        choices: [
          choice("ipv4", "IPv4 only", "One A record per name."),
          choice("dual", "IPv4 and IPv6", "An AAAA record per name as well."),
          choice("ipv6", "IPv6 only", "AAAA records alone. At Hetzner, or on another machine."),
        ],
      },
      "ipv4",
    ),
  },
} as const satisfies Options;

export const deploymentDocs: OptionDocs = {
  provider: {
    about: "The cloud that runs the machine: its commands, sizes, regions and user-data limit.",
    values: [
      [
        "aws",
        "Commands for `aws`; 16,384 bytes of user data; encrypted disk; metadata only with tokens",
      ],
      ["azure", "Commands for `az`; 65,535 bytes of user data"],
      ["digital-ocean", "Commands for `doctl`; 65,536 bytes of user data"],
      [
        "google-cloud",
        "Commands for `gcloud`, with a network of its own; 262,144 bytes of user data",
      ],
      ["hetzner", "Commands for `hcloud`; 32,768 bytes of user data"],
      [
        "ovh",
        "Commands for `openstack`; 49,149 bytes of user data; IPv4 only; the address stays as long as the machine",
      ],
      ["vultr", "Commands for `vultr-cli`; 65,535 bytes of user data"],
      [
        "linode",
        "Commands for `linode-cli`; 65,535 bytes of user data; the addresses stay as long as the machine",
      ],
      [
        "oracle",
        "Commands for `oci`, with a network of its own; 22,500 bytes of user data, larger ones through a bucket; LiveKit asks STUN for its address",
      ],
      [
        "other",
        "No commands: the README says how the files come to a machine of yours, and which ports to open",
      ],
    ],
  },
  region: {
    about:
      "Where the machine stands: one of us-east, us-west, eu-west and asia-pacific, or the provider's own name. Choose the one nearest to the people who talk.",
    values: [
      ["us-east", "us-east-1, eastus, nyc3 or us-east1 in the provider's commands"],
      ["us-west", "us-west-2, westus2, sfo3 or us-west1"],
      ["eu-west", "eu-west-1, westeurope, ams3 or europe-west1"],
      ["asia-pacific", "ap-southeast-1, southeastasia, sgp1 or asia-southeast1"],
      ["a name such as `eu-central-1`", "The provider's own name of any other region"],
    ],
  },
  size: {
    about: "Cores of the machine. Recording whole rooms wants large.",
    values: [
      ["small", "2 cores (4 on Google Cloud); a warning when rooms are recorded"],
      ["medium", "4 cores (8 on Google Cloud); a warning below 5 cores when rooms are recorded"],
      ["large", "8 cores (22 on Google Cloud)"],
    ],
  },
  architecture: {
    about: "The kind of processor. Not every provider has ARM's.",
    values: [
      ["amd64", "Intel's and AMD's processors"],
      [
        "arm64",
        "ARM, at AWS, Azure, Google Cloud, Oracle Cloud, Hetzner (in Europe) and on other machines; not with Amazon Linux",
      ],
    ],
  },
  disk: "GB of the machine's disk. Where the disk belongs to the size, a warning says so; at least 30 at Azure and 50 at Oracle.",
  system: {
    about: "The operating system. Amazon Linux runs on AWS only.",
    values: [
      [
        "ubuntu-24.04",
        "Docker from Ubuntu's packages. The same files run on Ubuntu 26.04, Debian 12 and Debian 13; on Debian 12 Compose is the release, checked against its checksum",
      ],
      [
        "amazon-linux-2023",
        "On AWS only: the Compose release, checked against its checksum; security updates from the latest release, not only the image's",
      ],
    ],
  },
  addresses: {
    about: "IPv4 alone, IPv6 as well, or IPv6 alone.",
    values: [
      ["ipv4", "A records and IPv4 rules; media is offered on IPv4 only"],
      [
        "dual",
        "AAAA records and IPv6 rules as well; on AWS in a network of its own, since the default one has no IPv6",
      ],
      [
        "ipv6",
        "AAAA records and IPv6 rules only, and media on IPv6; at Hetzner and on another machine, with LiveKit v1.13.5 or later",
      ],
    ],
  },
};
