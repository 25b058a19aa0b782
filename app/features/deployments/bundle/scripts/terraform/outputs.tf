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
#if DNS

  # A zone that was left out or misspelt would be an order to delete all records.
  precondition {
    condition     = var.dns_zone == "none" || length(local.records_in_zone) > 0
    error_message = "None of these records is in the zone \"${var.dns_zone}\". Write your zone into terraform.tfvars as dns_zone, or \"none\": then no record is set here."
  }
#end
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
#if SEVERAL

output "make" {
  description = "What makes a cluster of these machines, in the folder of this bundle on your computer."
#end
#if ALIKE
  value       = "@SSH_OPTIONS@sh cluster.sh make ${join(" ", values(local.addresses))}"
#end
#if RECORDERS
  value = join(" ", [
    "@SSH_OPTIONS@sh cluster.sh make",
    join(" ", [for name, address in local.addresses : address if local.machines[name].role != "egress"]),
    "--egress",
    join(" ", [for name, address in local.addresses : address if local.machines[name].role == "egress"]),
  ])
#end
#if SEVERAL
}
#end
#if REDIS

output "redis_address" {
  description = "The address of Redis, which the options want."
  value       = local.redis
}
#end
#if REDIS_PASSWORD_OUTPUT

output "redis_password" {
  description = "What the first machine wants by 'livekit-deploy set redis-password'."
  value       = one(digitalocean_database_cluster.livekit[*].password)
  sensitive   = true
}
#end
