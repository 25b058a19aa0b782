#if ADDRESS
output "address" {
  description = "The IPv4 address of the machine."
  value       = local.address
}

#end
#if ADDRESS6
output "address6" {
  description = "The IPv6 address of the machine."
  value       = local.address6
}

#end
output "dns_records" {
  description = "The DNS records of the deployment, also those that are set already."
  value       = values(local.records)
}

#if ONE
output "login" {
  description = "How to log in to the machine."
  value       = @LOGIN@
}
#end
#if SEVERAL
output "addresses" {
  description = "The IPv4 address of each machine."
  value       = local.addresses
}
#end
#if EDGE

output "make" {
  description = "What makes a cluster of these machines, in the folder of this bundle on your computer."
  value       = "@SSH_OPTIONS@sh cluster.sh make ${join(" ", values(local.addresses))}"
}
#end
