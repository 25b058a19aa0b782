import { providers } from "../../bundle/provider-table.ts";
import { providerIds } from "../../bundle/providers.ts";
import { ownRegion } from "../step-answers.ts";
import { choice, type Question } from "./question";

/** What the machine is and where it stands. */
export const deploymentQuestions: Question[] = [
  {
    kind: "text",
    field: "name",
    label: "Name",
    hint: "For you alone: it appears in this console and nowhere else.",
  },
  {
    kind: "choice",
    field: "provider",
    label: "Provider",
    compact: true,
    choices: providerIds.map((id) => choice(id, providers[id].label)),
  },
  {
    kind: "choice",
    field: "region",
    label: "Region",
    compact: true,
    choices: [
      choice("us-east", "US East"),
      choice("us-west", "US West"),
      choice("eu-west", "EU West"),
      choice("asia-pacific", "Asia Pacific"),
      choice(ownRegion, "Another"),
    ],
  },
  {
    kind: "when",
    field: "region",
    values: [ownRegion],
    questions: [
      {
        kind: "text",
        field: "region.own",
        label: "Name of the region",
        placeholder: "eu-central-1",
        hint: "As your provider calls it.",
      },
    ],
  },
  {
    kind: "choice",
    field: "size",
    label: "Instance type",
    hint: "Recording a whole room needs about five cores: choose Large for it.",
    choices: [
      choice("small", "Small", "2 cores: trying it out, small meetings."),
      choice("medium", "Medium", "4 cores: everyday meetings, single tracks recorded."),
      choice("large", "Large", "8 cores: large rooms, and rooms recorded whole."),
    ],
  },
  {
    kind: "advanced",
    label: "Machine and addresses",
    questions: [
      {
        kind: "choice",
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
      {
        kind: "text",
        field: "disk",
        label: "Disk in GB",
        type: "number",
        hint: "From 20 to 4096. At Digital Ocean, Hetzner, OVHcloud, Vultr and Linode the disk belongs to the size.",
      },
      {
        kind: "choice",
        field: "system",
        label: "Operating system",
        choices: [
          choice("ubuntu-24.04", "Ubuntu 24.04", "At every provider."),
          choice("amazon-linux-2023", "Amazon Linux 2023", "On AWS only."),
        ],
      },
      {
        kind: "choice",
        field: "addresses",
        label: "Addresses",
        choices: [
          choice("ipv4", "IPv4 only", "One A record per name."),
          choice("dual", "IPv4 and IPv6", "An AAAA record per name as well."),
          choice("ipv6", "IPv6 only", "AAAA records alone. At Hetzner, or on another machine."),
        ],
      },
    ],
  },
];
