/** Each provider's machine, its address where that is a resource of its own, and what it calls size and user data. */
export const machineTypes: Record<
  string,
  { machine: string; address?: string; size: string; data: string }
> = {
  aws: {
    ...{ machine: "aws_instance", address: "aws_eip" },
    ...{ size: "instance_type", data: "user_data_base64" },
  },
  azure: {
    ...{ machine: "azurerm_linux_virtual_machine", address: "azurerm_public_ip" },
    ...{ size: "size", data: "custom_data" },
  },
  "digital-ocean": {
    ...{ machine: "digitalocean_droplet", address: "digitalocean_reserved_ip" },
    ...{ size: "size", data: "user_data" },
  },
  "google-cloud": {
    ...{ machine: "google_compute_instance", address: "google_compute_address" },
    ...{ size: "machine_type", data: "metadata" },
  },
  hetzner: {
    ...{ machine: "hcloud_server", address: "hcloud_primary_ip" },
    ...{ size: "server_type", data: "user_data" },
  },
  linode: { machine: "linode_instance", size: "type", data: "metadata" },
  oracle: {
    ...{ machine: "oci_core_instance", address: "oci_core_public_ip" },
    ...{ size: "shape", data: "metadata" },
  },
  ovh: { machine: "openstack_compute_instance_v2", size: "flavor_name", data: "user_data" },
  vultr: {
    ...{ machine: "vultr_instance", address: "vultr_reserved_ip" },
    ...{ size: "plan", data: "user_data" },
  },
};

/** What a machine, or its interface, is in a private network by. */
export const privateNetworks: Record<string, string> = {
  aws: "aws_subnet.livekit[each.value.zone].id",
  azure: "azurerm_subnet.livekit.id",
  "digital-ocean": "digitalocean_vpc.livekit.id",
  "google-cloud": "google_compute_subnetwork.livekit.id",
  hetzner: "hcloud_network.livekit.id",
  linode: "linode_vpc_subnet.livekit.id",
  oracle: "oci_core_subnet.livekit.id",
  ovh: "openstack_networking_network_v2.livekit.id",
  vultr: "vultr_vpc.livekit.id",
};
