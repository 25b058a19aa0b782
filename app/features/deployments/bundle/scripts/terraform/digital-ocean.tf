# Firewall, address and machine for @DOMAIN@ at Digital Ocean, for Terraform and OpenTofu.
# DIGITALOCEAN_TOKEN has the API token. README.md says how to use this, and what the state holds.

. "./terraform/provider/digital-ocean.tf"

locals {
  name    = @NAME@
  region  = @REGION@
  zone    = var.dns_zone
  address = digitalocean_reserved_ip.livekit.ip_address
#if IPV6

  address6 = digitalocean_droplet.livekit.ipv6_address
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "digitalocean_tag" "livekit" {
  name = local.name
}

resource "digitalocean_firewall" "livekit" {
  name = local.name
  tags = [digitalocean_tag.livekit.id]

  dynamic "inbound_rule" {
    for_each = local.rules

    content {
      protocol         = inbound_rule.value.protocol
      port_range       = inbound_rule.value.ports
      source_addresses = inbound_rule.value.sources
    }
  }

  outbound_rule {
    protocol              = "icmp"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }

  outbound_rule {
    protocol              = "tcp"
    port_range            = "all"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }

  outbound_rule {
    protocol              = "udp"
    port_range            = "all"
    destination_addresses = ["0.0.0.0/0", "::/0"]
  }
}

resource "digitalocean_reserved_ip" "livekit" {
  region = local.region

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [droplet_id]
  }
}

resource "digitalocean_droplet" "livekit" {
  name      = local.name
  region    = local.region
  size      = @SIZE@
  image     = @IMAGE@
  ipv6      = @IPV6_FLAG@
  ssh_keys  = [var.ssh_key]
  tags      = [digitalocean_tag.livekit.id]
  user_data = local.user_data

  # The firewall protects it from its creation on.
  depends_on = [digitalocean_firewall.livekit]

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [image, ssh_keys, user_data]
  }
}

resource "digitalocean_reserved_ip_assignment" "livekit" {
  ip_address = digitalocean_reserved_ip.livekit.ip_address
  droplet_id = digitalocean_droplet.livekit.id
}

. "./terraform/records/digital-ocean.tf"
. "./terraform/common.tf"
