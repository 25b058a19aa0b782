# Network, firewalls and machines for @DOMAIN@ at Linode, for Terraform and OpenTofu.
# LINODE_TOKEN has the API token. README.md says how to use this, and what the state holds.

terraform {
  required_version = ">= 1.6"

  required_providers {
    linode = {
      source  = "linode/linode"
      version = ">= 3.5, < 4"
    }
  }
}

locals {
  name   = @NAME@
  region = @REGION@
  zone   = var.dns_zone

  # The name of a firewall has 32 characters at most.
  short_name = @SHORT_NAME@

  # The names of the deployment lead to the edge.
  address = local.addresses["edge"]
#if IPV6

  address6 = split("/", linode_instance.livekit["edge"].ipv6)[0]
#end

  # Each machine's own address, which it has until it is deleted.
  addresses = { for name, machine in linode_instance.livekit : name => tolist(machine.ipv4)[0] }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines. Each machine's own firewall says the same.
  rules = {
@RULES@
  }
}

# Not every region has this. Linode takes no part of 192.168.128.0/17.
resource "linode_vpc" "livekit" {
  label  = local.name
  region = local.region
}

resource "linode_vpc_subnet" "livekit" {
  vpc_id = linode_vpc.livekit.id
  label  = "livekit"
  ipv4   = @NETWORK@
}

# It is in front of the private network too.
resource "linode_firewall" "livekit" {
  for_each = local.rules

  label           = "${local.short_name}-${each.key}"
  inbound_policy  = "DROP"
  outbound_policy = "ACCEPT"

  dynamic "inbound" {
    for_each = each.value

    content {
      label    = inbound.key
      action   = "ACCEPT"
      protocol = inbound.value.protocol
      ports    = inbound.value.ports
      ipv4     = inbound.value.ipv4
      ipv6     = inbound.value.ipv6
    }
  }
}

# Its password for root is random and kept nowhere: people log in by SSH key.
resource "linode_instance" "livekit" {
  for_each = local.machines

  label                = "${local.name}-${each.key}"
  region               = local.region
  type                 = each.value.size
  image                = @IMAGE@
  authorized_keys      = [trimspace(file(pathexpand(var.ssh_key_file)))]
  firewall_id          = linode_firewall.livekit[each.value.role].id
  interface_generation = "legacy_config"

  interface {
    purpose = "public"
    primary = true
  }

  interface {
    purpose   = "vpc"
    subnet_id = linode_vpc_subnet.livekit.id
  }

  metadata {
    user_data = base64encode(local.user_data)
  }

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [authorized_keys, image, metadata, type]
  }
}

. "./terraform/records/linode.tf"
. "./terraform/common.tf"
