# Firewall and machine for @DOMAIN@ at Linode, for Terraform and OpenTofu.
# LINODE_TOKEN has the API token. README.md says how to use this, and what the state holds.

terraform {
  required_version = ">= 1.6"

  required_providers {
    linode = {
      source  = "linode/linode"
      version = ">= 2.29, < 4"
    }
  }
}

locals {
  name = @NAME@
  zone = var.dns_zone

  # The machine has its addresses until it is deleted.
  address = tolist(linode_instance.livekit.ipv4)[0]
#if IPV6

  address6 = split("/", linode_instance.livekit.ipv6)[0]
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "linode_firewall" "livekit" {
  label           = @SHORT_NAME@
  inbound_policy  = "DROP"
  outbound_policy = "ACCEPT"

  dynamic "inbound" {
    for_each = local.rules

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
  label           = local.name
  region          = @REGION@
  type            = @SIZE@
  image           = @IMAGE@
  authorized_keys = [trimspace(file(pathexpand(var.ssh_key_file)))]
  firewall_id     = linode_firewall.livekit.id

  metadata {
    user_data = base64encode(local.user_data)
  }

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [authorized_keys, image, metadata]
  }
}

. "./terraform/records/linode.tf"
. "./terraform/common.tf"
