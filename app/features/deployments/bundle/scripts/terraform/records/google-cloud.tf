data "google_dns_managed_zone" "livekit" {
  count = contains(["", "none"], var.dns_zone) ? 0 : 1
  name  = var.dns_zone
}

resource "google_dns_record_set" "livekit" {
  for_each = local.records_in_zone

  managed_zone = var.dns_zone
  name         = "${each.value.name}."
  type         = each.value.type
  ttl          = 300
  rrdatas      = [each.value.value]
}

