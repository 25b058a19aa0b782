import type { Provider } from "../../support/deployments/provider-command-lines.ts";
import { run } from "./program.ts";
import { namedTerraform } from "./requirements.ts";

const numbered = (...types: string[]) =>
  types.map((type) => `\n  mock_resource "${type}" {\n    defaults = { id = "1" }\n  }`).join("");

const balancer = "arn:aws:elasticloadbalancing:us-east-1:123456789012";

/** What Terraform's fake of a provider's program says, where a text of its own invention is of the wrong form. */
const said: Partial<Record<Provider, string>> = {
  aws: `
  mock_data "aws_ec2_instance_type_offerings" {
    defaults = { locations = ["us-east-1a", "us-east-1b"] }
  }
  mock_data "aws_route53_zone" {
    defaults = { zone_id = "Z1" }
  }
  mock_data "aws_vpc" {
    defaults = { id = "vpc-1" }
  }
  mock_resource "aws_lb" {
    defaults = { arn = "${balancer}:loadbalancer/net/a/1" }
  }
  mock_resource "aws_lb_target_group" {
    defaults = { arn = "${balancer}:targetgroup/a/1" }
  }
  mock_resource "aws_elasticache_replication_group" {
    defaults = { primary_endpoint_address = "redis.example.com" }
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
  }
  mock_resource "digitalocean_database_cluster" {
    defaults = { private_host = "redis.example.com", port = 6379 }
  }`,
  hetzner: `${numbered("hcloud_network", "hcloud_placement_group", "hcloud_firewall", "hcloud_primary_ip", "hcloud_server", "hcloud_load_balancer")}
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

/** The fake of a provider's program, by the name that main.tf has for it. */
export const fakeOf = (provider: Provider, name = ""): string =>
  `mock_provider "${name}" {${said[provider] ?? ""}\n}\n`;

/** Runs the test of a folder, in which providers' programs are faked: what it printed, with each plan. */
export function tested(folder: string) {
  const { program, providers } = namedTerraform();
  const words = ["init", "-backend=false", "-input=false", "-no-color", `-plugin-dir=${providers}`];
  const ready = run(program, folder, words);
  if (ready.status !== 0) throw new Error(ready.stdout + ready.stderr);
  return run(program, folder, ["test", "-verbose", "-no-color"]);
}
