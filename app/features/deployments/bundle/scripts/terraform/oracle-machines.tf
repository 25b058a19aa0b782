# Network, firewalls, addresses and machines for @DOMAIN@ at Oracle Cloud, for Terraform and OpenTofu.
# The login of Oracle's command line lets it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/oracle.tf"

locals {
  name = @NAME@
  zone = var.dns_zone

  # The names of the deployment lead to the edge.
  address = oci_core_public_ip.livekit["edge"].ip_address
#if IPV6

  address6 = data.oci_core_ipv6s.livekit.ipv6s[0].ip_address
#end

  # Each machine's own address.
  addresses = { for name, address in oci_core_public_ip.livekit : name => address.ip_address }

  # What refers to the machines by this waits for a new one alone, and so the addresses of the others stay as they are.
  instances = { for name, machine in oci_core_instance.livekit : name => machine.id }

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

data "oci_identity_availability_domains" "livekit" {
  compartment_id = var.compartment_id
}

data "oci_core_images" "livekit" {
  compartment_id           = var.compartment_id
  operating_system         = "Canonical Ubuntu"
  operating_system_version = "24.04"
  shape                    = @SIZE@
  sort_by                  = "TIMECREATED"
  sort_order               = "DESC"
}

resource "oci_core_vcn" "livekit" {
  compartment_id = var.compartment_id
  display_name   = local.name
  cidr_blocks    = [@NETWORK@]
  is_ipv6enabled = @IPV6_FLAG@
}

resource "oci_core_internet_gateway" "livekit" {
  compartment_id = var.compartment_id
  vcn_id         = oci_core_vcn.livekit.id
}

resource "oci_core_default_route_table" "livekit" {
  manage_default_resource_id = oci_core_vcn.livekit.default_route_table_id

  route_rules {
    destination       = "0.0.0.0/0"
    network_entity_id = oci_core_internet_gateway.livekit.id
  }
#if IPV6

  route_rules {
    destination       = "::/0"
    network_entity_id = oci_core_internet_gateway.livekit.id
  }
#end
}

# Oracle's own default list lets everybody in by SSH.
resource "oci_core_default_security_list" "livekit" {
  manage_default_resource_id = oci_core_vcn.livekit.default_security_list_id

  egress_security_rules {
    protocol    = "all"
    destination = "0.0.0.0/0"
  }
#if IPV6

  egress_security_rules {
    protocol    = "all"
    destination = "::/0"
  }
#end
}

resource "oci_core_network_security_group" "livekit" {
  for_each = local.rules

  compartment_id = var.compartment_id
  vcn_id         = oci_core_vcn.livekit.id
  display_name   = "${local.name}-${each.key}"
}

resource "oci_core_network_security_group_security_rule" "livekit" {
  for_each = local.rules_of_roles

  network_security_group_id = oci_core_network_security_group.livekit[each.value.role].id
  direction                 = "INGRESS"
  protocol                  = each.value.protocol == "tcp" ? "6" : "17"
  source                    = each.value.source
  source_type               = "CIDR_BLOCK"

  dynamic "tcp_options" {
    for_each = each.value.protocol == "tcp" ? [each.value] : []

    content {
      destination_port_range {
        min = tcp_options.value.from
        max = tcp_options.value.to
      }
    }
  }

  dynamic "udp_options" {
    for_each = each.value.protocol == "udp" ? [each.value] : []

    content {
      destination_port_range {
        min = udp_options.value.from
        max = udp_options.value.to
      }
    }
  }
}

resource "oci_core_subnet" "livekit" {
  compartment_id = var.compartment_id
  vcn_id         = oci_core_vcn.livekit.id
  display_name   = local.name
  cidr_block     = oci_core_vcn.livekit.cidr_blocks[0]
#if IPV6

  ipv6cidr_block = cidrsubnet(oci_core_vcn.livekit.ipv6cidr_blocks[0], 8, 0)
#end
}

resource "oci_core_instance" "livekit" {
  for_each = local.machines

  compartment_id      = var.compartment_id
  availability_domain = data.oci_identity_availability_domains.livekit.availability_domains[0].name
  display_name        = "${local.name}-${each.key}"
  shape               = each.value.size

  shape_config {
    ocpus         = each.value.ocpus
    memory_in_gbs = each.value.memory
  }

  source_details {
    source_type             = "image"
    source_id               = data.oci_core_images.livekit.images[0].id
    boot_volume_size_in_gbs = @DISK@
  }

  create_vnic_details {
    subnet_id        = oci_core_subnet.livekit.id
    nsg_ids          = [oci_core_network_security_group.livekit[each.value.role].id]
    assign_public_ip = false
#if IPV6
    assign_ipv6ip    = true
#end
  }

  metadata = {
    ssh_authorized_keys = file(pathexpand(var.ssh_key_file))
    user_data           = local.user_data
  }

  # The firewall protects it from its creation on.
  depends_on = [oci_core_default_security_list.livekit, oci_core_network_security_group_security_rule.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [availability_domain, metadata, shape, shape_config, source_details[0].source_id]
  }
}

data "oci_core_vnic_attachments" "livekit" {
  for_each = local.instances

  compartment_id = var.compartment_id
  instance_id    = each.value
}

data "oci_core_private_ips" "livekit" {
  for_each = data.oci_core_vnic_attachments.livekit

  vnic_id = each.value.vnic_attachments[0].vnic_id
}

#if IPV6
data "oci_core_ipv6s" "livekit" {
  vnic_id = data.oci_core_vnic_attachments.livekit["edge"].vnic_attachments[0].vnic_id
}

#end
resource "oci_core_public_ip" "livekit" {
  for_each = local.machines

  compartment_id = var.compartment_id
  display_name   = "${local.name}-${each.key}"
  lifetime       = "RESERVED"
  private_ip_id  = data.oci_core_private_ips.livekit[each.key].private_ips[0].id

  lifecycle {
    prevent_destroy = true
  }
}

. "./terraform/records/oracle.tf"
. "./terraform/common.tf"
