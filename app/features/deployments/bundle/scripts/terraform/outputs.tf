#if IPV4
output "address" {
  description = "The IPv4 address of the machine."
  value       = local.address
}

#end
#if IPV6
output "address6" {
  description = "The IPv6 address of the machine."
  value       = local.address6
}

#end
output "dns_records" {
  description = "The DNS records of the deployment, also those that are set already."
  value       = values(local.records)
}

output "login" {
  description = "How to log in to the machine."
  value       = @LOGIN@
}
