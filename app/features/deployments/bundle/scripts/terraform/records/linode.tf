data "linode_domain" "livekit" {
  count  = contains(["", "none"], local.zone) ? 0 : 1
  domain = local.zone
}

resource "linode_domain_record" "livekit" {
  for_each = local.records_in_zone

  domain_id   = data.linode_domain.livekit[0].id
  name        = trimsuffix(trimsuffix(each.value.name, local.zone), ".")
  record_type = each.value.type
  target      = each.value.value
  ttl_sec     = 300
}

