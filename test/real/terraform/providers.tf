# Every provider that main.tf of a bundle asks for. `terraform providers mirror FOLDER` here brings their programs.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.100, < 7"
    }

    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 4.0, < 6"
    }

    digitalocean = {
      source  = "digitalocean/digitalocean"
      version = ">= 2.47, < 3"
    }

    google = {
      source  = "hashicorp/google"
      version = ">= 6.50, < 8"
    }

    hcloud = {
      source  = "hetznercloud/hcloud"
      version = ">= 1.62, < 2"
    }

    linode = {
      source  = "linode/linode"
      version = ">= 2.29, < 4"
    }

    oci = {
      source  = "oracle/oci"
      version = ">= 7.0, < 9"
    }

    openstack = {
      source  = "terraform-provider-openstack/openstack"
      version = ">= 3.0, < 4"
    }

    vultr = {
      source  = "vultr/vultr"
      version = ">= 2.21, < 3"
    }
  }
}
