data "azurerm_dns_zone" "livekit" {
  count = contains(["", "none"], local.zone) ? 0 : 1
  name  = local.zone
}

resource "azurerm_dns_a_record" "livekit" {
  for_each = { for key, record in local.records_in_zone : key => record if record.type == "A" }

  zone_name           = local.zone
  resource_group_name = data.azurerm_dns_zone.livekit[0].resource_group_name
  name                = coalesce(trimsuffix(trimsuffix(each.value.name, local.zone), "."), "@")
  ttl                 = 300
  records             = [each.value.value]
}

#if IPV6
resource "azurerm_dns_aaaa_record" "livekit" {
  for_each = { for key, record in local.records_in_zone : key => record if record.type == "AAAA" }

  zone_name           = local.zone
  resource_group_name = data.azurerm_dns_zone.livekit[0].resource_group_name
  name                = coalesce(trimsuffix(trimsuffix(each.value.name, local.zone), "."), "@")
  ttl                 = 300
  records             = [each.value.value]
}

#end
