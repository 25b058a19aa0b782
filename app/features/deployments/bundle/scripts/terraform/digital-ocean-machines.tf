# Network, firewalls, addresses and machines for @DOMAIN@ at Digital Ocean, for Terraform and OpenTofu.
# DIGITALOCEAN_TOKEN has the API token. README.md says how to use this, and what the state holds.

. "./terraform/provider/digital-ocean.tf"

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
#if BALANCED

  # The names of the deployment lead to the balancer.
  address = digitalocean_loadbalancer.livekit.ip
#end
#if BALANCED_IPV6

  address6 = digitalocean_loadbalancer.livekit.ipv6
#end
#if REDIS

  # Where Redis is found, once it is made.
  redis = one([for each in digitalocean_database_cluster.livekit : "${each.private_host}:${each.port}"])
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
#if REDIS

  made = { for name, machine in local.machines : name => machine if var.machines }
#end
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
  for_each = @MADE@

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

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [image, size, ssh_keys, user_data]
  }
}

#if BALANCED
# It passes connections on and does not end TLS. Of its two nodes each takes 10,000 at a time, and a person in a
# call has up to three: signalling, and a relay at hand for each way of media.
resource "digitalocean_loadbalancer" "livekit" {
  name          = local.name
  region        = local.region
  size_unit     = 2
  vpc_uuid      = digitalocean_vpc.livekit.id
  network_stack = "@STACK@"
  droplet_tag   = digitalocean_tag.livekit["media"].name

  forwarding_rule {
    entry_protocol  = "tcp"
    entry_port      = 443
    target_protocol = "tcp"
    target_port     = 443
  }

  # Caddy on each machine answers here for itself and for LiveKit.
  healthcheck {
    protocol                 = "http"
    port                     = @CHECK_PORT@
    path                     = "/"
    check_interval_seconds   = 5
    response_timeout_seconds = 3
    unhealthy_threshold      = 2
    healthy_threshold        = 2
  }

  lifecycle {
    prevent_destroy = true
  }
}

#end
#if REDIS
# Its password, which Digital Ocean makes, is in the state.
resource "digitalocean_database_cluster" "livekit" {
  count = var.redis ? 1 : 0

  name                 = local.name
  engine               = "valkey"
  version              = "8"
  region               = local.region
  size                 = "db-s-1vcpu-2gb"
  node_count           = 2
  eviction_policy      = "noeviction"
  private_network_uuid = digitalocean_vpc.livekit.id

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [version]
  }
}

resource "digitalocean_database_firewall" "livekit" {
  count = var.redis ? 1 : 0

  cluster_id = digitalocean_database_cluster.livekit[0].id

  dynamic "rule" {
    for_each = digitalocean_tag.livekit

    content {
      type  = "tag"
      value = rule.value.name
    }
  }
}

. "./terraform/redis-check.tf"

#end
. "./terraform/records/digital-ocean.tf"
. "./terraform/common.tf"
