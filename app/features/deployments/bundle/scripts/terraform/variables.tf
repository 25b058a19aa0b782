#if KEY
variable "ssh_key" {
  description = @KEY_WORDS@
  type        = string
}

#end
#if KEY_FILE
variable "ssh_key_file" {
  description = "The file of your public SSH key."
  type        = string
  default     = "~/.ssh/id_ed25519.pub"
}

#end
#if COMPARTMENT
variable "compartment_id" {
  description = "The OCID of the compartment (or tenancy) for the machine."
  type        = string
}

#end
#if ZONE
variable "zone" {
  description = "The zone of the machine, in its region."
  type        = string
  default     = @ZONE_DEFAULT@
}

#end
#if INSTANCE_PROFILE
variable "instance_profile" {
  description = "The instance profile whose role may write to your bucket."
  type        = string
}

#end
#if SERVICE_ACCOUNT
variable "service_account" {
  description = "The e-mail of a service account that may write to your bucket."
  type        = string
}

#end
#if DNS
variable "dns_zone" {
  description = @DNS_WORDS@
  type        = string
}

#end
#if REDIS
variable "redis" {
  description = "Whether a Redis of the provider is made. false: you have one that the machines reach."
  type        = bool
}

variable "machines" {
  description = "Whether machines are made. false: the network, the balancer and Redis alone, whose address the options want."
  type        = bool
  default     = true
}

#end
#if REDIS_PASSWORD
variable "redis_password" {
  description = "The password with which Redis is made: 16 to 128 letters and digits. Later ones leave it as it is."
  type        = string
  default     = null
  sensitive   = true
}

#end
variable "user_data_file" {
  description = "The user data of a new machine, a file in this folder."
  type        = string
  default     = @USER_DATA_FILE@
}
