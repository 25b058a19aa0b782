resource "hcloud_zone_rrset" "livekit" {
  for_each = local.records_in_zone

  zone    = local.zone
  name    = coalesce(trimsuffix(trimsuffix(each.value.name, local.zone), "."), "@")
  type    = each.value.type
  ttl     = 300
  records = [{ value = each.value.value }]
}

