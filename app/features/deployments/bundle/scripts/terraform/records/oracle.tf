resource "oci_dns_rrset" "livekit" {
  for_each = local.records_in_zone

  zone_name_or_id = local.zone
  domain          = each.value.name
  rtype           = each.value.type

  items {
    domain = each.value.name
    rtype  = each.value.type
    rdata  = each.value.value
    ttl    = 300
  }
}

