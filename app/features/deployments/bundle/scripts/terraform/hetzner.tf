# Firewall, addresses and machine for @DOMAIN@ at Hetzner, for Terraform and OpenTofu.
# HCLOUD_TOKEN has the API token. README.md says how to use this, and what the state holds.

. "./terraform/provider/hetzner.tf"

locals {
  name     = @NAME@
  location = @REGION@
  zone     = var.dns_zone
#if IPV4
  address  = hcloud_primary_ip.ipv4.ip_address
#end
#if IPV6
  address6 = hcloud_server.livekit.ipv6_address
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "hcloud_firewall" "livekit" {
  name = local.name

  dynamic "rule" {
    for_each = local.rules

    content {
      direction  = "in"
      protocol   = rule.value.protocol
      port       = rule.value.ports
      source_ips = rule.value.sources
    }
  }
}

#if IPV4
resource "hcloud_primary_ip" "ipv4" {
  name        = local.name
  type        = "ipv4"
  location    = local.location
  auto_delete = false

  lifecycle {
    prevent_destroy = true
  }
}

#end
#if IPV6
resource "hcloud_primary_ip" "ipv6" {
  name        = "${local.name}-6"
  type        = "ipv6"
  location    = local.location
  auto_delete = false

  lifecycle {
    prevent_destroy = true
  }
}

#end
resource "hcloud_server" "livekit" {
  name         = local.name
  server_type  = @SIZE@
  image        = @IMAGE@
  location     = local.location
  ssh_keys     = [var.ssh_key]
  firewall_ids = [hcloud_firewall.livekit.id]
  user_data    = local.user_data

  public_net {
#if IPV4
    ipv4_enabled = true
    ipv4         = hcloud_primary_ip.ipv4.id
#end
#if IPV4_ONLY
    ipv6_enabled = false
#end
#if IPV6_ONLY
    ipv4_enabled = false
#end
#if IPV6
    ipv6_enabled = true
    ipv6         = hcloud_primary_ip.ipv6.id
#end
  }

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [image, ssh_keys, user_data]
  }
}

. "./terraform/records/hetzner.tf"
. "./terraform/common.tf"
