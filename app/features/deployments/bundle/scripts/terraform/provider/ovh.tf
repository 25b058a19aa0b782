terraform {
  required_version = ">= 1.6"

  required_providers {
    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 3.0, < 4"
    }
  }
}

provider "openstack" {
  region = @REGION@
}
