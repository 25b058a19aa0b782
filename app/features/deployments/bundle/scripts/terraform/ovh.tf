# Firewall and machine for @DOMAIN@ at OVHcloud, for Terraform and OpenTofu.
# The variables of your openrc.sh, or OS_CLOUD, let it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/ovh.tf"

locals {
  name = @NAME@

  # In the network Ext-Net the machine itself has the public address, until it is deleted.
  address = openstack_compute_instance_v2.livekit.access_ip_v4

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "openstack_networking_secgroup_v2" "livekit" {
  name        = local.name
  description = "LiveKit"
}

resource "openstack_networking_secgroup_rule_v2" "livekit" {
  for_each = local.rules

  security_group_id = openstack_networking_secgroup_v2.livekit.id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = each.value.protocol
  port_range_min    = each.value.from
  port_range_max    = each.value.to
  remote_ip_prefix  = each.value.source
}

resource "openstack_compute_instance_v2" "livekit" {
  name            = local.name
  flavor_name     = @SIZE@
  image_name      = @IMAGE@
  key_pair        = var.ssh_key
  security_groups = [openstack_networking_secgroup_v2.livekit.name]
  user_data       = local.user_data

  network {
    name = "Ext-Net"
  }

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [image_id, image_name, key_pair, user_data]
  }
}

. "./terraform/common.tf"
