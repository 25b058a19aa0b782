# Network, firewalls, addresses and machines for @DOMAIN@ at Hetzner, for Terraform and OpenTofu.
# HCLOUD_TOKEN has the API token. README.md says how to use this, and what the state holds.

. "./terraform/provider/hetzner.tf"

locals {
  name     = @NAME@
  location = @REGION@
  zone     = var.dns_zone
#if EDGE

  # The names of the deployment lead to the edge.
  address = hcloud_primary_ip.ipv4["edge"].ip_address
#end
#if EDGE_IPV6

  address6 = hcloud_server.livekit["edge"].ipv6_address
#end
#if BALANCED

  # The names of the deployment lead to the balancer.
  address = hcloud_load_balancer.livekit.ipv4
#end
#if BALANCED_IPV6

  address6 = hcloud_load_balancer.livekit.ipv6
#end

  # Each machine's own address.
  addresses = { for name, address in hcloud_primary_ip.ipv4 : name => address.ip_address }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines. Each machine's own firewall says the same.
  rules = {
@RULES@
  }
}

data "hcloud_location" "livekit" {
  name = local.location
}

resource "hcloud_network" "livekit" {
  name     = local.name
  ip_range = @NETWORK@
}

resource "hcloud_network_subnet" "livekit" {
  network_id   = hcloud_network.livekit.id
  network_zone = data.hcloud_location.livekit.network_zone
  type         = "cloud"
  ip_range     = hcloud_network.livekit.ip_range
}

# What comes by the private network meets the machine's own firewall alone.
resource "hcloud_firewall" "livekit" {
  for_each = local.rules

  name = "${local.name}-${each.key}"

  dynamic "rule" {
    for_each = each.value

    content {
      direction  = "in"
      protocol   = rule.value.protocol
      port       = rule.value.ports
      source_ips = rule.value.sources
    }
  }
}

resource "hcloud_primary_ip" "ipv4" {
  for_each = local.machines

  name        = "${local.name}-${each.key}"
  type        = "ipv4"
  location    = local.location
  auto_delete = false

  lifecycle {
    prevent_destroy = true
  }
}

#if IPV6
resource "hcloud_primary_ip" "ipv6" {
  for_each = local.machines

  name        = "${local.name}-${each.key}-6"
  type        = "ipv6"
  location    = local.location
  auto_delete = false

  lifecycle {
    prevent_destroy = true
  }
}

#end
# No two machines stand on the same host.
resource "hcloud_placement_group" "livekit" {
  name = local.name
  type = "spread"
}

resource "hcloud_server" "livekit" {
  for_each = local.machines

  name               = "${local.name}-${each.key}"
  server_type        = each.value.size
  image              = @IMAGE@
  location           = local.location
  placement_group_id = hcloud_placement_group.livekit.id
  ssh_keys           = [var.ssh_key]
  firewall_ids       = [hcloud_firewall.livekit[each.value.role].id]
  user_data          = local.user_data

  public_net {
    ipv4_enabled = true
    ipv4         = hcloud_primary_ip.ipv4[each.key].id
#if IPV4_ONLY
    ipv6_enabled = false
#end
#if IPV6
    ipv6_enabled = true
    ipv6         = hcloud_primary_ip.ipv6[each.key].id
#end
  }

  # Without the empty list each plan would take the machine out of the network and put it back.
  network {
    network_id = hcloud_network.livekit.id
    alias_ips  = []
  }

  depends_on = [hcloud_network_subnet.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [image, server_type, ssh_keys, user_data]
  }
}

#if BALANCED
# It passes connections on and does not end TLS. lb11 takes 10,000 at a time, and a person in a call has up to three:
# signalling, and a relay at hand for each way of media.
resource "hcloud_load_balancer" "livekit" {
  name               = local.name
  load_balancer_type = "lb11"
  location           = local.location

  # In turn. Until the balancer knows that a machine is dead, that one has fewest connections, and would get each new one.
  algorithm {
    type = "round_robin"
  }

  lifecycle {
    prevent_destroy = true
  }
}

resource "hcloud_load_balancer_network" "livekit" {
  load_balancer_id = hcloud_load_balancer.livekit.id
  subnet_id        = hcloud_network_subnet.livekit.id
}

resource "hcloud_load_balancer_target" "livekit" {
  for_each = { for name, machine in hcloud_server.livekit : name => machine if local.machines[name].role == "media" }

  type             = "server"
  load_balancer_id = hcloud_load_balancer.livekit.id
  server_id        = each.value.id
  use_private_ip   = true

  depends_on = [hcloud_load_balancer_network.livekit]
}

resource "hcloud_load_balancer_service" "livekit" {
  load_balancer_id = hcloud_load_balancer.livekit.id
  protocol         = "tcp"
  listen_port      = 443
  destination_port = 443

  # Caddy on each machine answers here for itself and for LiveKit.
  health_check {
    protocol = "http"
    port     = @CHECK_PORT@
    interval = 5
    timeout  = 3
    retries  = 2

    http {
      path         = "/"
      status_codes = ["200"]
    }
  }
}

#end
. "./terraform/records/hetzner.tf"
. "./terraform/common.tf"
