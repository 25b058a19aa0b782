import { resourceName } from "./files/providers/rules.ts";
import {
  backsUpByRole,
  egressMachinesOf,
  regionOf,
  severalOf,
  usesInstanceRole,
} from "./options/derived-options.ts";
import type { DeploymentOptions } from "./options/options.ts";
import type { ProviderId } from "./providers.ts";

/** A word in capitals that the customer replaces in a command, what to write for it, and a command that lists it. */
type Placeholder = { word: string; meaning: string; list?: string };

/** What the customer types to make the machine and to log in to it. */
export type MachineCommands = {
  /** Sets every variable that create-vm.sh asks for. Null where the customer makes the machine without that script. */
  create: string | null;
  placeholders: Placeholder[];
  /** Whom the image lets in. */
  user: string;
  /** Logs in to the machine. The words in capitals stand for what is not known yet. */
  login: (address?: string, key?: string) => string;
};

const keyFile = "~/.ssh/id_ed25519";
const keyPlaceholder = (listCommand: string): Placeholder => ({
  word: "MY_KEY",
  meaning: "what your SSH key is called there",
  list: listCommand,
});

/** How each provider names the customer's SSH key, and whom its image lets in. */
const access: Record<ProviderId, { variable?: string; key?: Placeholder; user: string }> = {
  aws: { variable: "KEY_NAME", user: "ubuntu" },
  azure: { variable: "SSH_KEY", user: "ubuntu" },
  "digital-ocean": {
    variable: "SSH_KEY",
    key: keyPlaceholder("doctl compute ssh-key list"),
    user: "root",
  },
  "google-cloud": { user: "" },
  hetzner: { variable: "SSH_KEY", key: keyPlaceholder("hcloud ssh-key list"), user: "root" },
  ovh: { variable: "KEY_NAME", key: keyPlaceholder("openstack keypair list"), user: "ubuntu" },
  vultr: { variable: "SSH_KEY", key: keyPlaceholder("vultr-cli ssh-key list"), user: "root" },
  linode: { variable: "SSH_KEY", user: "root" },
  oracle: { variable: "SSH_KEY", user: "ubuntu" },
  other: { user: "root" },
};

/** Whom the image of a machine lets in; empty where the provider's own program knows it. */
export function accountOf({
  provider,
  system,
}: {
  provider: ProviderId;
  system?: string | undefined;
}): string {
  return system === "amazon-linux-2023" ? "ec2-user" : access[provider].user;
}

/** The commands for a deployment, exactly as its create-vm.sh and its image want them. */
export function machineCommands(options: DeploymentOptions): MachineCommands {
  const { provider } = options;
  const { variable, key = keyAt(options) } = access[provider];
  const role = usesInstanceRole(options) || backsUpByRole(options);
  const variables: Record<string, string> = {};
  const placeholders: Placeholder[] = [];
  const set = (name: string, placeholder: Placeholder) => {
    variables[name] = placeholder.word;
    placeholders.push(placeholder);
  };
  if (provider === "oracle") {
    set("COMPARTMENT", { word: "MY_COMPARTMENT", meaning: "the OCID of your compartment" });
  }
  if (variable && key) set(variable, key);
  else if (variable) variables[variable] = `${keyFile}.pub`;
  if (provider === "google-cloud") variables.ZONE = zoneOf(options);
  if (provider === "aws" && role) {
    const meaning = "an instance profile whose role may write to your bucket";
    set("INSTANCE_PROFILE", { word: "MY_PROFILE", meaning });
  }
  if (provider === "google-cloud" && role) {
    const meaning = "the e-mail of a service account that may write to your bucket";
    set("SERVICE_ACCOUNT", { word: "MY_ACCOUNT", meaning });
  }
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value} `);
  // gcloud has an account of its own for who logs in. cluster.sh uses ssh.
  const account = accountOf(options) || (severalOf(options) ? "ubuntu" : "");
  return {
    user: account,
    create:
      provider === "other" || severalOf(options) ? null : `${assignments.join("")}sh create-vm.sh`,
    placeholders,
    login(address = "ADDRESS", keyName = "MY_KEY") {
      if (provider === "google-cloud") {
        return `gcloud compute ssh ${resourceName(options)} --zone=${zoneOf(options)}`;
      }
      const identity = provider === "aws" ? `~/.ssh/${keyName}.pem` : keyFile;
      return `ssh -i ${identity} ${account}@${address}`;
    },
  };
}

/** AWS has a list of key pairs in each region. */
function keyAt(options: DeploymentOptions): Placeholder | undefined {
  if (options.provider !== "aws") return;
  return keyPlaceholder(
    `aws ec2 describe-key-pairs --region ${regionOf(options)} --query 'KeyPairs[].KeyName'`,
  );
}

/** The zone that create-vm.sh takes unless it is given another. */
function zoneOf(options: DeploymentOptions): string {
  return `${regionOf(options)}-b`;
}

/** The machines as words of `cluster.sh make`: those for calls, then those for recording. */
export function nodeWords(options: DeploymentOptions): string {
  const counted = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name}-${at + 1}`);
  const recorders = counted("EGRESS", egressMachinesOf(options));
  return [
    ...counted("NODE", severalOf(options)?.machines ?? 0),
    ...(recorders.length > 0 ? ["--egress", ...recorders] : []),
  ].join(" ");
}
