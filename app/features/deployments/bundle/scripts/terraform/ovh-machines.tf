# Network, firewalls and machines for @DOMAIN@ at OVHcloud, for Terraform and OpenTofu.
# The variables of your openrc.sh, or OS_CLOUD, let it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/ovh.tf"

locals {
  name = @NAME@

  # The names of the deployment lead to the edge.
  address = openstack_compute_instance_v2.livekit["edge"].access_ip_v4

  # In the network Ext-Net each machine itself has a public address, until it is deleted.
  addresses = { for name, machine in openstack_compute_instance_v2.livekit : name => machine.access_ip_v4 }

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

# It is a VLAN of the vRack that the project is in.
resource "openstack_networking_network_v2" "livekit" {
  name = local.name
}

# Without a gateway: the way out is by Ext-Net.
resource "openstack_networking_subnet_v2" "livekit" {
  name       = local.name
  network_id = openstack_networking_network_v2.livekit.id
  cidr       = @NETWORK@
  no_gateway = true
}

resource "openstack_networking_secgroup_v2" "livekit" {
  for_each = local.rules

  name        = "${local.name}-${each.key}"
  description = "LiveKit"
}

resource "openstack_networking_secgroup_rule_v2" "livekit" {
  for_each = local.rules_of_roles

  security_group_id = openstack_networking_secgroup_v2.livekit[each.value.role].id
  direction         = "ingress"
  ethertype         = "IPv4"
  protocol          = each.value.protocol
  port_range_min    = each.value.from
  port_range_max    = each.value.to
  remote_ip_prefix  = each.value.source
}

resource "openstack_compute_instance_v2" "livekit" {
  for_each = local.machines

  name            = "${local.name}-${each.key}"
  flavor_name     = each.value.size
  image_name      = @IMAGE@
  key_pair        = var.ssh_key
  security_groups = [openstack_networking_secgroup_v2.livekit[each.value.role].name]
  user_data       = local.user_data

  network {
    name           = "Ext-Net"
    access_network = true
  }

  network {
    uuid = openstack_networking_network_v2.livekit.id
  }

  # Where the network has no addresses yet, a machine gets none. The firewall protects it from its creation on.
  depends_on = [openstack_networking_secgroup_rule_v2.livekit, openstack_networking_subnet_v2.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [flavor_id, flavor_name, image_id, image_name, key_pair, user_data]
  }
}

. "./terraform/common.tf"
