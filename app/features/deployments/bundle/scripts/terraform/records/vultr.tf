resource "vultr_dns_record" "livekit" {
  for_each = local.records_in_zone

  domain = local.zone
  name   = trimsuffix(trimsuffix(each.value.name, local.zone), ".")
  type   = each.value.type
  data   = each.value.value
  ttl    = 300
}

