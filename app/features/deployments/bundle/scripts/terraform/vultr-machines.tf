# Network, firewalls, addresses and machines for @DOMAIN@ at Vultr, for Terraform and OpenTofu.
# VULTR_API_KEY has the API key. README.md says how to use this, and what the state holds.

. "./terraform/provider/vultr.tf"

locals {
  name    = @NAME@
  region  = @REGION@
  zone    = var.dns_zone
  network = @NETWORK@

  # The names of the deployment lead to the edge.
  address = vultr_reserved_ip.livekit["edge"].subnet
#if IPV6

  address6 = vultr_instance.livekit["edge"].v6_main_ip
#end

  # Each machine's own address.
  addresses = { for name, address in vultr_reserved_ip.livekit : name => address.subnet }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines. Each machine's own firewall says the same.
  rules = {
@RULES@
  }

  rules_of_roles = merge([
    for role, rules in local.rules : { for key, rule in rules : "${role} ${key}" => merge(rule, { role = role }) }
  ]...)
}

# What comes by this network meets the machine's own firewall alone.
resource "vultr_vpc" "livekit" {
  region         = local.region
  description    = local.name
  v4_subnet      = split("/", local.network)[0]
  v4_subnet_mask = tonumber(split("/", local.network)[1])
}

resource "vultr_firewall_group" "livekit" {
  for_each = local.rules

  description = "${local.name}-${each.key}"
}

resource "vultr_firewall_rule" "livekit" {
  for_each = local.rules_of_roles

  firewall_group_id = vultr_firewall_group.livekit[each.value.role].id
  protocol          = each.value.protocol
  port              = each.value.ports
  ip_type           = strcontains(each.value.source, ":") ? "v6" : "v4"
  subnet            = split("/", each.value.source)[0]
  subnet_size       = tonumber(split("/", each.value.source)[1])
  notes             = each.key
}

resource "vultr_reserved_ip" "livekit" {
  for_each = local.machines

  region  = local.region
  ip_type = "v4"
  label   = "${local.name}-${each.key}"

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [instance_id]
  }
}

resource "vultr_instance" "livekit" {
  for_each = local.machines

  region            = local.region
  plan              = each.value.size
  os_id             = @IMAGE@
  label             = "${local.name}-${each.key}"
  hostname          = "${local.name}-${each.key}"
  enable_ipv6       = @IPV6_FLAG@
  activation_email  = false
  ssh_key_ids       = [var.ssh_key]
  vpc_ids           = [vultr_vpc.livekit.id]
  firewall_group_id = vultr_firewall_group.livekit[each.value.role].id
  reserved_ip_id    = vultr_reserved_ip.livekit[each.key].id
  user_data         = local.user_data

  # The firewall protects it from its creation on.
  depends_on = [vultr_firewall_rule.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [activation_email, os_id, plan, ssh_key_ids, user_data]
  }
}

. "./terraform/records/vultr.tf"
. "./terraform/common.tf"
