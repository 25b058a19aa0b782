# Network, firewall, address and machine for @DOMAIN@ at Google Cloud, for Terraform and OpenTofu.
# GOOGLE_PROJECT has the project, and gcloud's login lets it in. README.md says how to use this, and what the state holds.

. "./terraform/provider/google-cloud.tf"

locals {
  name    = @NAME@
  zone    = trimsuffix(join("", data.google_dns_managed_zone.livekit[*].dns_name), ".")
  address = google_compute_address.livekit.address
#if IPV6

  address6 = google_compute_instance.livekit.network_interface[0].ipv6_access_config[0].external_ipv6
#end

  # Who may connect to which ports. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

# Google's default network lets everybody in by SSH and RDP.
resource "google_compute_network" "livekit" {
  name                    = local.name
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "livekit" {
  name          = local.name
  network       = google_compute_network.livekit.id
  ip_cidr_range = "10.0.0.0/24"
#if IPV6

  stack_type       = "IPV4_IPV6"
  ipv6_access_type = "EXTERNAL"
#end
}

resource "google_compute_firewall" "livekit" {
  for_each = local.rules

  name          = "${local.name}-${each.key}"
  network       = google_compute_network.livekit.id
  direction     = "INGRESS"
  source_ranges = each.value.sources
  target_tags   = [local.name]

  dynamic "allow" {
    for_each = each.value.allow

    content {
      protocol = allow.key
      ports    = allow.value
    }
  }
}

resource "google_compute_address" "livekit" {
  name = local.name

  lifecycle {
    prevent_destroy = true
  }
}

resource "google_compute_instance" "livekit" {
  name         = local.name
  zone         = var.zone
  machine_type = @SIZE@
  tags         = [local.name]

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
      nat_ip = google_compute_address.livekit.address
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

  metadata = {
    user-data = local.user_data
  }

  # The firewall protects it from its creation on.
  depends_on = [google_compute_firewall.livekit]

  # A new version of this file never replaces the machine. Its metadata also has the keys of who logs in.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [boot_disk[0].initialize_params[0].image, metadata]
  }
}

. "./terraform/records/google-cloud.tf"
. "./terraform/common.tf"
