import { readFileSync } from "node:fs";
import { commandLines } from "../deployments/provider-command-lines.ts";

/** Functions of bash that stand before a documented command; see the file. */
export const strictCommands = readFileSync("test/support/documentation/strict-commands.sh", "utf8");

type Options = Readonly<Record<string, string>>;

/**
 * The options of each subcommand, as the tools' own manuals have them. One that ends in `=` takes a value, one that
 * ends in `=<` a file that is there.
 */
const commandOptions: Readonly<Record<string, Options>> = {
  aws: {
    "ec2 run-instances":
      "--region= --instance-type= --image-id= --key-name= --security-group-ids= --subnet-id= --metadata-options= --block-device-mappings= --user-data=<",
    "ec2 associate-address": "--region= --instance-id= --allocation-id=",
    "ec2 authorize-security-group-ingress": "--region= --group-id= --ip-permissions=",
    "ec2 wait instance-stopped": "--instance-ids=",
    "ec2 modify-instance-attribute": "--instance-id= --instance-type=",
    "ec2 start-instances": "--instance-ids=",
  },
  az: {
    "vm create":
      "--resource-group= --name= --location= --size= --image= --public-ip-address= --nsg= --admin-username= --ssh-key-values=< --custom-data=<",
    "vm deallocate": "--resource-group= --name=",
    "vm resize": "--resource-group= --name= --size=",
    "vm start": "--resource-group= --name=",
    "network nsg rule create":
      "--resource-group= --nsg-name= --name= --priority= --direction= --access= --protocol= --destination-port-ranges= --source-address-prefixes=",
  },
  gcloud: {
    "compute instances create":
      "--zone= --machine-type= --image-family= --image-project= --address= --tags= --metadata-from-file=",
    "compute instances stop": "--zone=",
    "compute instances start": "--zone=",
    "compute instances set-machine-type": "--zone= --machine-type=",
    "compute firewall-rules create":
      "--network= --direction= --source-ranges= --target-tags= --allow=",
  },
  doctl: {
    "compute droplet create": "--region= --size= --image= --ssh-keys= --user-data-file=< --wait",
    "compute reserved-ip-action assign": "",
    "compute droplet-action resize": "--size= --wait",
    "compute droplet-action power-on": "--wait",
    "compute firewall create": "--name= --droplet-ids= --inbound-rules= --outbound-rules=",
  },
  // docs/reference/manual of hetznercloud/cli, November 2026.
  hcloud: {
    "firewall create": "--name=",
    "firewall add-rule": "--direction= --protocol= --port= --source-ips=",
    "firewall apply-to-resource": "--type= --server=",
    "server change-type": "--keep-disk",
    "server poweron": "",
  },
  // What python-openstackclient prints with --help, November 2026.
  openstack: {
    "--os-region-name GRA11 server resize": "--os-region-name= --flavor= --wait",
    "--os-region-name GRA11 server start": "--os-region-name=",
  },
  // docs.vultr.com/reference/vultr-cli, November 2025.
  "vultr-cli": { "instance plan upgrade": "--plan=", "instance start": "" },
  "linode-cli": { "linodes resize": "--type= --allow_auto_disk_resize=", "linodes boot": "" },
  oci: {
    "compute instance update": "--instance-id= --shape-config= --force",
    "compute instance action": "--instance-id= --action=",
    "network security-list update":
      "--force --security-list-id= --egress-security-rules= --ingress-security-rules=<",
  },
  // livekit/livekit-cli 2.18.3, cmd/lk.
  lk: Object.fromEntries(
    Object.entries({
      "egress start": "--type=",
      "egress list": "--id= --room= --active --json",
      "egress stop": "--id=",
      "ingress create": "",
      "ingress list": "--room= --id= --json",
      "ingress delete": "",
      "room list": "--json",
      "token create": "--join --admin --room= --identity= --valid-for= --token-only",
    }).map(([name, options]) => [name, `${options} --url= --api-key= --api-secret=`.trim()]),
  ),
  docker: {
    "compose ps": "-a --all -q",
    "compose logs": "--follow -f --since= --tail= --no-color",
    "compose pull": "-q --quiet",
    "compose up": "-d --force-recreate --remove-orphans",
    "compose stop": "",
    "compose down": "--rmi=",
    load: "--input=<",
    pull: "",
    save: "--output=",
    "image prune": "-a --all -f --force",
    stats: "--no-stream",
  },
  systemctl: Object.fromEntries(
    "start stop restart reload reload-or-restart status is-active daemon-reload"
      .split(" ")
      .map((name) => [name, "--no-pager"]),
  ),
  "cloud-init": { status: "--wait --long" },
  timedatectl: { "set-ntp": "", status: "" },
};

/** Options that take no value, of those that provider-command-lines.ts lists without saying so. */
const switches = ["--wait", "--ipv6", "--ingress", "--without-ipv4", "--without-ipv6"];
const withValues = (options: string) =>
  options.replaceAll(/\S+/g, (option) => (switches.includes(option) ? option : `${option}=`));

/** The lines of $OPTIONS. */
export function optionLines(): string {
  const { hetzner, ovh, vultr, linode, oracle } = commandLines;
  const ofProviders = [hetzner, ovh, vultr, linode, oracle].map(
    ({ tool, flags }): [string, Options] => [
      tool,
      Object.fromEntries(
        Object.entries<string>(flags).map(([name, options]) => [
          // The region stands before the subcommand of openstack.
          tool === "openstack" ? `--os-region-name GRA11 ${name}` : name,
          withValues(tool === "openstack" ? `--os-region-name ${options}` : options),
        ]),
      ),
    ],
  );
  return [...Object.entries(commandOptions), ...ofProviders]
    .flatMap(([tool, subcommands]) =>
      Object.entries(subcommands).map(([name, options]) => `${tool} ${name}: ${options}\n`),
    )
    .join("");
}
