resource "digitalocean_record" "livekit" {
  for_each = local.records_in_zone

  domain = local.zone
  name   = coalesce(trimsuffix(trimsuffix(each.value.name, local.zone), "."), "@")
  type   = each.value.type
  value  = each.value.value
  ttl    = 300
}

