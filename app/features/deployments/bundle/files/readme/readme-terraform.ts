import type { BundleFile } from "../../bundle-types.ts";
import {
  clusterOf,
  diskOf,
  egressMachinesOf,
  hasFamily,
  machineOf,
  machinesOf,
  regionOf,
  severalOf,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import type { ProviderId } from "../../providers.ts";
import { hclRows } from "../terraform/hcl.ts";
import { makesRedis, shortName } from "../terraform/machines.ts";
import { hasTerraform } from "../terraform/terraform.ts";
import { userDataFileOf } from "../terraform/user-data-values.ts";
import { hasZones, requiredVariables } from "../terraform/variables.ts";
import { hasBucket, isCopiedBySsh } from "../user-data-commands.ts";

/** How Terraform gets into the account, as each provider's own pages say. */
const logins: Record<ProviderId, string> = {
  aws: "`export AWS_PROFILE=MY_PROFILE`, or the keys of a login",
  azure: "`az login`, and `export ARM_SUBSCRIPTION_ID=MY_SUBSCRIPTION`",
  "digital-ocean": "`export DIGITALOCEAN_TOKEN=MY_TOKEN`",
  "google-cloud": "`gcloud auth application-default login`, and `export GOOGLE_PROJECT=MY_PROJECT`",
  hetzner: "`export HCLOUD_TOKEN=MY_TOKEN`",
  ovh: "`. ./openrc.sh`, which OVHcloud gives you",
  vultr: "`export VULTR_API_KEY=MY_KEY`",
  linode: "`export LINODE_TOKEN=MY_TOKEN`",
  oracle: "the login of Oracle's command line: `oci setup config`",
  other: "",
};

/** What a private network asks for, where that is more than the login. */
const privateNetworks: Partial<Record<ProviderId, string>> = {
  linode: "\n   The region must have VPCs, and a VPC takes no part of `192.168.128.0/17`.",
  ovh: "\n   The project must be in a vRack, which costs nothing: private networks are VLANs of it.",
};

/** Where the state has a hash of the user data, and not the text. */
const hashed: readonly ProviderId[] = ["hetzner", "digital-ocean", "ovh"];

/** The same machine by Terraform: how, what stays in the state, and what never happens by itself. */
export function terraformSection(options: DeploymentOptions, files: readonly BundleFile[]): string {
  if (!hasTerraform(options)) return "";
  return severalOf(options) ? machinesSection(options, files) : machineSection(options, files);
}

function machineSection(options: DeploymentOptions, files: readonly BundleFile[]): string {
  const file = userDataFileOf(files);
  return `## Terraform

\`main.tf\`, \`variables.tf\` and \`outputs.tf\` make what \`create-vm.sh\` makes, for Terraform and OpenTofu. Use one of the two:
neither knows what the other has made.

${firstSteps(options)}
4. It prints ${hasFamily(options, "ipv4") ? "the address" : "the IPv6 address"}, the DNS records and how to log in. Go on as under Start.

- **User data** of the machine is \`${file}\`.${limitWords(options, file)}
- **A new version** of these files never replaces the machine or its address: another image, key or user data is ignored, and
  \`prevent_destroy\` refuses the rest. Put it over the old files, keep \`terraform.tfstate\` and \`terraform.tfvars\`, and
  \`terraform apply\` changes the firewall, the records and, with a stop of the machine, its size: before another size,
  \`sudo livekit-deploy drain\` waits until nobody is in a call. \`livekit-deploy apply\` brings the files to the machine.
${lastWords(options, file)}
`;
}

/** The machines of a cluster: what is added, and how one goes. */
function machinesSection(options: DeploymentOptions, files: readonly BundleFile[]): string {
  const { provider, drain } = options;
  const { label } = providers[provider];
  const size = sizeWords(options);
  const hasEdge = clusterOf(options) !== undefined;
  const file = userDataFileOf(files);
  return `## Terraform

\`main.tf\`, \`variables.tf\` and \`outputs.tf\` make the ${machinesOf(options)} machines at ${label}, with private network, firewalls, ${hasEdge ? "addresses" : "addresses, balancer"} and the
DNS records, for Terraform and OpenTofu. A server that you made with these files before has its own folder and state: leave it
there, and unpack this zip into another folder.

${firstSteps(options)}${privateNetworks[provider] ?? ""}
4. It prints the DNS records, the addresses and \`make\`: the command that makes a cluster of these machines. Go on as under Start.
${makesRedis(options) ? redisFirst(options) : ""}
- **User data** is the same for each machine: \`${file}\`.${limitWords(options, file)}
- **A new version** of these files never replaces a machine or its address: another image, key or user data is ignored, and
  \`prevent_destroy\` refuses the rest. Put it over the old files, keep \`terraform.tfstate\` and \`terraform.tfvars\`, and
  \`terraform apply\` changes the firewalls and the records. \`sh cluster.sh apply\` brings the files to the machines.
- **Another size** is for new machines: for those that run, Terraform would stop all of them at once. Change it by hand, one
  machine after the other:
  1. \`ssh MACHINE sudo systemctl stop livekit.service\` waits for its calls, ${drain.minutes} minutes at most, while the others take new ones.
  2. At ${label}, stop the machine, give it ${size}, and start it. LiveKit starts with it, and Terraform
     takes the size as it is.
  3. \`sh cluster.sh doctor\`. Where all work, the next.
- **A larger number** of machines makes new ones: \`terraform apply\`, then \`sh cluster.sh join\` with its address${egressMachinesOf(options) > 0 ? ", or `join --egress` with that of one for recording" : ""}.
- **A smaller number** deletes nothing: the plan names the last machines, and is refused. First \`sh cluster.sh leave\` with each
  of them, which ends no call early. Then delete it${goesWith(options)} at ${label}, and \`terraform apply\` forgets ${goesWith(options) === "" ? "it" : "them"}.
${lastWords(options, file)}
`;
}

/** What a machine for calls is given at its provider. */
function sizeWords(options: DeploymentOptions): string {
  const disk = providers[options.provider].diskInSize ? "" : ` and a disk of ${diskOf(options)} GB`;
  return `the type ${machineOf(options).name}${disk}`;
}

/** What is deleted with a machine at the provider. Where nothing is, its address was its own. */
function goesWith({ provider }: DeploymentOptions): string {
  if (["digital-ocean", "linode", "ovh"].includes(provider)) return "";
  return provider === "azure"
    ? " with its disk, its interface and its address"
    : " and its address";
}

/** The address of a provider's Redis is known once it is made, and the machines want it in their files. */
function redisFirst(options: DeploymentOptions): string {
  const isAws = options.provider === "aws";
  const changed = `aws elasticache modify-replication-group --region ${regionOf(options)} --replication-group-id ${shortName(options)} --auth-token NEW_PASSWORD --apply-immediately`;
  return `
**Redis comes first.** It is made here too, with a second node and TLS:

1. ${isAws ? "`export TF_VAR_redis_password=MY_PASSWORD`, which no later `apply` needs. " : ""}\`terraform apply -var machines=false\` makes it, the network and the balancer.
   Before machines run nothing answers there.
2. Write \`redis_address\`, which it prints, into the options${isAws ? "" : ", with the user `default`"}, download the zip anew and put it over these files.
3. \`terraform apply\` makes the machines.
4. The first machine wants the password: ${
    isAws
      ? "`sudo livekit-deploy set redis-password`."
      : '`echo "$(terraform output -raw redis_password)" | ssh FIRST sudo livekit-deploy set redis-password`.'
  }

With \`redis = false\` in \`terraform.tfvars\` none is made: then yours must be reached from this network, and \`terraform apply\` makes
the machines at once. The password stands in the state${isAws ? ", since AWS's program takes it in no other way" : ""}.
${
  isAws
    ? `
**Another password** of it, which Terraform leaves as it was made:

1. \`${changed} --auth-token-update-strategy ROTATE\`: both passwords work.
2. On the first machine \`sudo livekit-deploy set redis-password\` and \`sudo livekit-deploy restart\`; then \`sh cluster.sh join NODE\`
   for each other.
3. The same command with \`SET\` for \`ROTATE\`: the old one ends.
`
    : ""
}`;
}

function firstSteps(options: DeploymentOptions): string {
  const { provider } = options;
  const variables = requiredVariables(options);
  return `1. Let it in: ${logins[provider]}.
2. Write \`terraform.tfvars\` into this folder, once. Terraform reads it by itself each time, and no zip has such a file, so
   yours stays. It holds no secret.

   \`\`\`hcl
${hclRows(variables).replaceAll(/^ {4}/gm, "   ")}
   \`\`\`

   \`variables.tf\` says what each variable is, and which more there are. Write those here too: what one \`terraform apply\` was
   told by \`-var\`, the next undoes.${hasZones(provider) ? ' With `dns_zone = "none"` you set the DNS records yourself.' : ""}
3. In this folder: \`terraform init\`, then ${makesRedis(options) ? "what **Redis comes first** says below" : "`terraform apply`"}. With OpenTofu say \`tofu\` for \`terraform\`.`;
}

function lastWords(options: DeploymentOptions, file: string): string {
  return `- **The state** holds ${stateWords(options, file)}. Keep it where you alone read it: a private, encrypted bucket
  (\`backend\`), or encrypted by OpenTofu (\`encryption\`). Never commit \`terraform.tfstate\`.
- **To delete it all**, write \`prevent_destroy = false\` in \`main.tf\`, then \`terraform destroy\`.`;
}

function limitWords({ provider }: DeploymentOptions, file: string): string {
  const { label, userDataLimit } = providers[provider];
  if (file === "user-data.py" || !(hasBucket(provider) || isCopiedBySsh(provider))) return "";
  return ` ${label} takes ${userDataLimit} bytes, and it may be larger even when
  compressed: \`terraform plan\` says so. Then make user data of a kilobyte on the deployment's page, save it here as
  \`user-data.py\`, and write \`user_data_file = "user-data.py"\` into \`terraform.tfvars\`.`;
}

function stateWords({ provider, secrets }: DeploymentOptions, file: string): string {
  const form = hashed.includes(provider) ? "a hash of the user data" : "the user data as it is";
  const within =
    file === "user-data.py"
      ? ", with the token that connects the machine: it ends 72 hours after the download, or when it was used"
      : secrets === "browser"
        ? ", with every secret of the deployment, since your browser made them"
        : ", which holds no secret";
  const password = provider === "vultr" ? "; and root's first password" : "";
  return hashed.includes(provider) ? form : `${form}${within}${password}`;
}
