import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { type Provider, providers } from "../../support/deployments/provider-command-lines.ts";
import { localsOf, readHcl } from "../../support/deployments/terraform/hcl.ts";
import { providersOf } from "../../support/deployments/terraform/schema-problems.ts";
import { run } from "./program.ts";
import { namedTerraform } from "./requirements.ts";

const { program, providers: programs } = namedTerraform();
const scratch = mkdtempDisposableSync(join(tmpdir(), "terraform-growth-"));
afterAll(() => scratch[Symbol.dispose]());

const numbered = (...types: string[]) =>
  types.map((type) => `\n  mock_resource "${type}" {\n    defaults = { id = "1" }\n  }`).join("");

/** What Terraform's fake of a provider's program says, where a text of its own invention is of the wrong form. */
const said: Partial<Record<Provider, string>> = {
  aws: `
  mock_data "aws_ec2_instance_type_offerings" {
    defaults = { locations = ["us-east-1a"] }
  }`,
  // Azure's program reads ids as paths.
  azure: [
    ["azurerm_network_interface", "networkInterfaces/a"],
    ["azurerm_network_security_group", "networkSecurityGroups/a"],
    ["azurerm_public_ip", "publicIPAddresses/a"],
    ["azurerm_subnet", "virtualNetworks/a/subnets/a"],
  ]
    .map(
      ([type, path]) =>
        `\n  mock_resource "${type}" {\n    defaults = { id = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/a/providers/Microsoft.Network/${path}" }\n  }`,
    )
    .join(""),
  "digital-ocean": `${numbered("digitalocean_droplet")}
  mock_resource "digitalocean_reserved_ip" {
    defaults = { ip_address = "203.0.113.2" }
  }`,
  hetzner: `${numbered("hcloud_network", "hcloud_placement_group", "hcloud_firewall", "hcloud_primary_ip")}
  mock_data "hcloud_location" {
    defaults = { network_zone = "eu-central" }
  }`,
  linode: `${numbered("linode_vpc", "linode_vpc_subnet", "linode_firewall")}
  mock_resource "linode_instance" {
    defaults = { ipv4 = ["203.0.113.2"] }
  }`,
  oracle: `
  mock_data "oci_identity_availability_domains" {
    defaults = { availability_domains = [{ name = "AD-1" }] }
  }
  mock_data "oci_core_images" {
    defaults = { images = [{ id = "image" }] }
  }
  mock_data "oci_core_vnic_attachments" {
    defaults = { vnic_attachments = [{ vnic_id = "vnic" }] }
  }
  mock_data "oci_core_private_ips" {
    defaults = { private_ips = [{ id = "address" }] }
  }`,
};

/** How many resources a machine is, with its address and what ties both together. */
const resources: Record<Provider, number> = {
  ...{ hetzner: 2, "digital-ocean": 1, vultr: 2, ovh: 1, linode: 1 },
  ...{ aws: 3, "google-cloud": 2, azure: 4, oracle: 2 },
};

/** A key in the form of SSH, which some programs look at: two texts with their lengths before them. */
function publicKey(byte: number): string {
  const parts = [Buffer.from("ssh-ed25519"), Buffer.alloc(32, byte)];
  const bytes = parts.flatMap((part) => [Buffer.from([0, 0, 0, part.length]), part]);
  return `ssh-ed25519 ${Buffer.concat(bytes).toString("base64")}\n`;
}

const filesWith = (provider: Provider, machines: number): BundleFile[] =>
  bundle(
    optionsFrom({
      ...{ domain: "livekit.example.com", provider, addresses: "ipv4" },
      topology: { kind: "cluster", machines },
    }),
  ).files;

const mainOf = (files: readonly BundleFile[]) =>
  readHcl(files.find(({ path }) => path === "main.tf")?.content ?? "");

test.each(providers)(
  "at %s another machine is one more, and with it new user data and another key change none of the others",
  async (provider) => {
    const folder = join(scratch.path, provider);
    mkdirSync(folder, { recursive: true });
    const files = filesWith(provider, 3);
    // What would be replaced is to be seen in the plan, and not refused.
    for (const { path, content } of files)
      if (path.endsWith(".tf"))
        writeFileSync(join(folder, path), content.replaceAll("prevent_destroy = true", ""));
    writeFileSync(join(folder, "old.yaml"), "#cloud-config\n# old\n");
    writeFileSync(join(folder, "new.yaml"), "#cloud-config\n# new\n");
    writeFileSync(join(folder, "old.pub"), publicKey(1));
    writeFileSync(join(folder, "new.pub"), publicKey(2));
    writeFileSync(join(folder, "machines.tf"), 'variable "machines" {\n  type = any\n}\n');
    writeFileSync(join(folder, "machines_override.tf"), "locals {\n  machines = var.machines\n}\n");
    const variables = files.find(({ path }) => path === "variables.tf")?.content ?? "";
    const values: [name: string, before: string, after: string][] = [
      ["ssh_key", "old", "new"],
      ["ssh_key_file", "old.pub", "new.pub"],
      ["compartment_id", "compartment", "compartment"],
      ["user_data_file", "old.yaml", "new.yaml"],
    ];
    const step = async (name: string, command: string, machines: number, at: 1 | 2) =>
      `run "${name}" {\n  command = ${command}\n  variables {\n${[
        `    machines = ${JSON.stringify(localsOf(await mainOf(filesWith(provider, machines))).machines)}`,
        ...values
          .filter(([each]) => variables.includes(`variable "${each}"`))
          .map((each) => `    ${each[0]} = "${each[at]}"`),
      ].join("\n")}\n  }\n}\n`;
    const [name] = providersOf(await mainOf(files));
    writeFileSync(
      join(folder, "growth.tftest.hcl"),
      [
        `mock_provider "${name}" {${said[provider] ?? ""}\n}\n`,
        await step("before", "apply", 3, 1),
        await step("after", "plan", 4, 2),
      ].join("\n"),
    );
    const init = ["init", "-backend=false", "-input=false", "-no-color", `-plugin-dir=${programs}`];
    const ready = run(program, folder, init);
    expect(ready.status, ready.stdout + ready.stderr).toBe(0);
    const { status, stdout, stderr } = run(program, folder, ["test", "-verbose", "-no-color"]);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout.slice(stdout.indexOf('run "after"'))).toContain(
      `Plan: ${resources[provider]} to add, 0 to change, 0 to destroy.`,
    );
  },
);
