# Network, firewall, address and machine for @DOMAIN@ at Oracle Cloud, for Terraform and OpenTofu.
# The login of Oracle's command line lets it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/oracle.tf"

locals {
  name    = @NAME@
  zone    = var.dns_zone
  address = oci_core_public_ip.livekit.ip_address
#if IPV6

  address6 = data.oci_core_ipv6s.livekit.ipv6s[0].ip_address
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
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
  cidr_blocks    = ["10.0.0.0/16"]
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

  dynamic "ingress_security_rules" {
    for_each = local.rules
    iterator = rule

    content {
      protocol = rule.value.protocol == "tcp" ? "6" : "17"
      source   = rule.value.source

      dynamic "tcp_options" {
        for_each = rule.value.protocol == "tcp" ? [rule.value] : []

        content {
          min = tcp_options.value.from
          max = tcp_options.value.to
        }
      }

      dynamic "udp_options" {
        for_each = rule.value.protocol == "udp" ? [rule.value] : []

        content {
          min = udp_options.value.from
          max = udp_options.value.to
        }
      }
    }
  }

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

resource "oci_core_subnet" "livekit" {
  compartment_id = var.compartment_id
  vcn_id         = oci_core_vcn.livekit.id
  display_name   = local.name
  cidr_block     = "10.0.0.0/24"
#if IPV6

  ipv6cidr_block = cidrsubnet(oci_core_vcn.livekit.ipv6cidr_blocks[0], 8, 0)
#end
}

resource "oci_core_instance" "livekit" {
  compartment_id      = var.compartment_id
  availability_domain = data.oci_identity_availability_domains.livekit.availability_domains[0].name
  display_name        = local.name
  shape               = @SIZE@

  shape_config {
    ocpus         = @OCPUS@
    memory_in_gbs = @MEMORY@
  }

  source_details {
    source_type             = "image"
    source_id               = data.oci_core_images.livekit.images[0].id
    boot_volume_size_in_gbs = @DISK@
  }

  create_vnic_details {
    subnet_id        = oci_core_subnet.livekit.id
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
  depends_on = [oci_core_default_security_list.livekit]

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [availability_domain, metadata, source_details[0].source_id]
  }
}

data "oci_core_vnic_attachments" "livekit" {
  compartment_id = var.compartment_id
  instance_id    = oci_core_instance.livekit.id
}

data "oci_core_private_ips" "livekit" {
  vnic_id = data.oci_core_vnic_attachments.livekit.vnic_attachments[0].vnic_id
}

#if IPV6
data "oci_core_ipv6s" "livekit" {
  vnic_id = data.oci_core_vnic_attachments.livekit.vnic_attachments[0].vnic_id
}

#end
resource "oci_core_public_ip" "livekit" {
  compartment_id = var.compartment_id
  display_name   = local.name
  lifetime       = "RESERVED"
  private_ip_id  = data.oci_core_private_ips.livekit.private_ips[0].id

  lifecycle {
    prevent_destroy = true
  }
}

. "./terraform/records/oracle.tf"
. "./terraform/common.tf"
