# Network, firewalls, addresses and machines for @DOMAIN@ at Digital Ocean, for Terraform and OpenTofu.
# DIGITALOCEAN_TOKEN has the API token. README.md says how to use this, and what the state holds.

terraform {
  required_version = ">= 1.6"

  required_providers {
    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = ">= 2.47, < 3"
    }
  }
}

locals {
  name   = @NAME@
  region = @REGION@
  zone   = var.dns_zone
#if EDGE

  # The names of the deployment lead to the edge.
  address = digitalocean_reserved_ip.livekit.ip_address
#end
#if EDGE_IPV6

  address6 = digitalocean_droplet.livekit["edge"].ipv6_address
#end

  # Each machine's own address, which it has until it is deleted.
  addresses = { for name, machine in digitalocean_droplet.livekit : name => machine.ipv4_address }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines. Each machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "digitalocean_vpc" "livekit" {
  name     = local.name
  region   = local.region
  ip_range = @NETWORK@
}

resource "digitalocean_tag" "livekit" {
  for_each = local.rules

  name = "${local.name}-${each.key}"
}

resource "digitalocean_firewall" "livekit" {
  for_each = local.rules

  name = "${local.name}-${each.key}"
  tags = [digitalocean_tag.livekit[each.key].id]

  dynamic "inbound_rule" {
    for_each = each.value

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

#if EDGE
resource "digitalocean_reserved_ip" "livekit" {
  region = local.region

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [droplet_id]
  }
}

resource "digitalocean_reserved_ip_assignment" "livekit" {
  ip_address = digitalocean_reserved_ip.livekit.ip_address
  droplet_id = digitalocean_droplet.livekit["edge"].id
}

#end
resource "digitalocean_droplet" "livekit" {
  for_each = local.machines

  name      = "${local.name}-${each.key}"
  region    = local.region
  size      = each.value.size
  image     = @IMAGE@
  ipv6      = @IPV6_FLAG@
  vpc_uuid  = digitalocean_vpc.livekit.id
  ssh_keys  = [var.ssh_key]
  tags      = [digitalocean_tag.livekit[each.value.role].id]
  user_data = local.user_data

  # The firewall protects it from its creation on.
  depends_on = [digitalocean_firewall.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [image, ssh_keys, user_data]
  }
}

resource "digitalocean_record" "livekit" {
  for_each = local.records_in_zone

  domain = local.zone
  name   = coalesce(trimsuffix(trimsuffix(each.value.name, local.zone), "."), "@")
  type   = each.value.type
  value  = each.value.value
  ttl    = 300
}

. "./terraform/common.tf"
