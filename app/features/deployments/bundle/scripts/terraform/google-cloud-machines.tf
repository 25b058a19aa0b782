# Network, firewalls, addresses and machines for @DOMAIN@ at Google Cloud, for Terraform and OpenTofu.
# GOOGLE_PROJECT has the project, and gcloud's login lets it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/google-cloud.tf"

locals {
  name = @NAME@
  zone = trimsuffix(join("", data.google_dns_managed_zone.livekit[*].dns_name), ".")

  # The names of the deployment lead to the edge.
  address = google_compute_address.livekit["edge"].address
#if IPV6

  address6 = google_compute_instance.livekit["edge"].network_interface[0].ipv6_access_config[0].external_ipv6
#end

  # Each machine's own address.
  addresses = { for name, address in google_compute_address.livekit : name => address.address }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines. Each machine's own firewall says the same.
  rules = {
@RULES@
  }

  rules_of_roles = merge([
    for role, rules in local.rules : { for key, rule in rules : "${role}-${key}" => merge(rule, { role = role }) }
  ]...)
}

# Google's default network lets everybody in by SSH and RDP.
resource "google_compute_network" "livekit" {
  name                    = local.name
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "livekit" {
  name          = local.name
  network       = google_compute_network.livekit.id
  ip_cidr_range = @NETWORK@
#if IPV6

  stack_type       = "IPV4_IPV6"
  ipv6_access_type = "EXTERNAL"
#end
}

resource "google_compute_firewall" "livekit" {
  for_each = local.rules_of_roles

  name          = "${local.name}-${each.key}"
  network       = google_compute_network.livekit.id
  direction     = "INGRESS"
  source_ranges = each.value.sources
  target_tags   = ["${local.name}-${each.value.role}"]

  dynamic "allow" {
    for_each = each.value.allow

    content {
      protocol = allow.key
      ports    = allow.value
    }
  }
}

resource "google_compute_address" "livekit" {
  for_each = local.machines

  name = "${local.name}-${each.key}"

  lifecycle {
    prevent_destroy = true
  }
}

# The machines of a cluster are in one zone: traffic between zones costs, and without the edge none is reached.
resource "google_compute_instance" "livekit" {
  for_each = local.machines

  name         = "${local.name}-${each.key}"
  zone         = var.zone
  machine_type = each.value.size
  tags         = ["${local.name}-${each.value.role}"]

  # Another size needs a stop, which the plan says before.
  allow_stopping_for_update = true

  boot_disk {
    initialize_params {
      image = @IMAGE@
      type  = @DISK_TYPE@
      size  = @DISK@
    }
  }
#if SECURE_BOOT

  shielded_instance_config {
    enable_secure_boot = true
  }
#end

  network_interface {
    subnetwork = google_compute_subnetwork.livekit.id
#if IPV6
    stack_type = "IPV4_IPV6"
#end

    access_config {
      nat_ip = google_compute_address.livekit[each.key].address
    }
#if IPV6

    ipv6_access_config {
      network_tier = "PREMIUM"
    }
#end
  }
#if ROLE

  service_account {
    email  = var.service_account
    scopes = ["cloud-platform"]
  }
#end

  # With OS Login the account would have a name that cluster.sh does not know.
  metadata = {
    enable-oslogin = "FALSE"
    ssh-keys       = "ubuntu:${trimspace(file(pathexpand(var.ssh_key_file)))}"
    user-data      = local.user_data
  }

  # The firewall protects it from its creation on.
  depends_on = [google_compute_firewall.livekit]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [boot_disk[0].initialize_params[0].image, machine_type, metadata]
  }
}

. "./terraform/records/google-cloud.tf"
. "./terraform/common.tf"
