# Firewall, address and machine for @DOMAIN@ at Vultr, for Terraform and OpenTofu.
# VULTR_API_KEY has the API key. README.md says how to use this, and what the state holds.

. "./terraform/provider/vultr.tf"

locals {
  name    = @NAME@
  region  = @REGION@
  zone    = var.dns_zone
  address = vultr_reserved_ip.livekit.subnet
#if IPV6

  address6 = vultr_instance.livekit.v6_main_ip
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "vultr_firewall_group" "livekit" {
  description = local.name
}

resource "vultr_firewall_rule" "livekit" {
  for_each = local.rules

  firewall_group_id = vultr_firewall_group.livekit.id
  protocol          = each.value.protocol
  port              = each.value.ports
  ip_type           = strcontains(each.value.source, ":") ? "v6" : "v4"
  subnet            = split("/", each.value.source)[0]
  subnet_size       = tonumber(split("/", each.value.source)[1])
  notes             = each.key
}

resource "vultr_reserved_ip" "livekit" {
  region  = local.region
  ip_type = "v4"
  label   = local.name

  lifecycle {
    prevent_destroy = true
    ignore_changes  = [instance_id]
  }
}

resource "vultr_instance" "livekit" {
  region            = local.region
  plan              = @SIZE@
  os_id             = @IMAGE@
  label             = local.name
  hostname          = local.name
  enable_ipv6       = @IPV6_FLAG@
  activation_email  = false
  ssh_key_ids       = [var.ssh_key]
  firewall_group_id = vultr_firewall_group.livekit.id
  reserved_ip_id    = vultr_reserved_ip.livekit.id
  user_data         = local.user_data

  # The firewall protects it from its creation on.
  depends_on = [vultr_firewall_rule.livekit]

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [activation_email, os_id, ssh_key_ids, user_data]
  }
}

. "./terraform/records/vultr.tf"
. "./terraform/common.tf"
