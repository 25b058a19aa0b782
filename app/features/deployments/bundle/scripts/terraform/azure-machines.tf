# Network, firewalls, addresses and machines for @DOMAIN@ at Azure, for Terraform and OpenTofu.
# ARM_SUBSCRIPTION_ID has the subscription, and "az login" lets it in. README.md says how to use this, and what the
# state holds.

. "./terraform/provider/azure.tf"

locals {
  name = @NAME@
  zone = var.dns_zone

  # The names of the deployment lead to the edge.
  address = azurerm_public_ip.ipv4["edge"].ip_address
#if IPV6

  address6 = azurerm_public_ip.ipv6["edge"].ip_address
#end

  # Each machine's own address.
  addresses = { for name, address in azurerm_public_ip.ipv4 : name => address.ip_address }

  machines = {
@MACHINES@
  }

  # Who may connect to which ports of which machines, by priority. Each machine's own firewall says the same.
  rules = {
@RULES@
  }

  rules_of_roles = merge([
    for role, rules in local.rules : {
      for key, rule in rules : "${role}-${key}" => merge(rule, { role = role, priority = tonumber(key) })
    }
  ]...)
}

resource "azurerm_resource_group" "livekit" {
  name     = local.name
  location = @REGION@
}

resource "azurerm_network_security_group" "livekit" {
  for_each = local.rules

  name                = "${local.name}-${each.key}"
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location
}

resource "azurerm_network_security_rule" "livekit" {
  for_each = local.rules_of_roles

  name                        = "rule-${each.value.priority}"
  resource_group_name         = azurerm_resource_group.livekit.name
  network_security_group_name = azurerm_network_security_group.livekit[each.value.role].name
  priority                    = each.value.priority
  direction                   = "Inbound"
  access                      = "Allow"
  protocol                    = each.value.protocol
  source_port_range           = "*"
  source_address_prefixes     = each.value.sources
  destination_port_range      = each.value.ports
  destination_address_prefix  = "*"
}

resource "azurerm_virtual_network" "livekit" {
  name                = local.name
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location
  address_space       = @NETWORKS@
}

resource "azurerm_subnet" "livekit" {
  name                 = "default"
  resource_group_name  = azurerm_resource_group.livekit.name
  virtual_network_name = azurerm_virtual_network.livekit.name
  address_prefixes     = @SUBNETS@
}

resource "azurerm_public_ip" "ipv4" {
  for_each = local.machines

  name                = "${local.name}-${each.key}"
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location
  sku                 = "Standard"
  allocation_method   = "Static"

  lifecycle {
    prevent_destroy = true
  }
}

#if IPV6
resource "azurerm_public_ip" "ipv6" {
  for_each = local.machines

  name                = "${local.name}-${each.key}-6"
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location
  sku                 = "Standard"
  allocation_method   = "Static"
  ip_version          = "IPv6"

  lifecycle {
    prevent_destroy = true
  }
}

#end
resource "azurerm_network_interface" "livekit" {
  for_each = local.machines

  name                = "${local.name}-${each.key}"
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location

  ip_configuration {
    name                          = "ipconfig1"
    primary                       = true
    subnet_id                     = azurerm_subnet.livekit.id
    private_ip_address_allocation = "Dynamic"
    public_ip_address_id          = azurerm_public_ip.ipv4[each.key].id
  }
#if IPV6

  ip_configuration {
    name                          = "ipv6"
    subnet_id                     = azurerm_subnet.livekit.id
    private_ip_address_allocation = "Dynamic"
    private_ip_address_version    = "IPv6"
    public_ip_address_id          = azurerm_public_ip.ipv6[each.key].id
  }
#end
}

resource "azurerm_network_interface_security_group_association" "livekit" {
  for_each = local.machines

  network_interface_id      = azurerm_network_interface.livekit[each.key].id
  network_security_group_id = azurerm_network_security_group.livekit[each.value.role].id
}

resource "azurerm_linux_virtual_machine" "livekit" {
  for_each = local.machines

  name                  = "${local.name}-${each.key}"
  resource_group_name   = azurerm_resource_group.livekit.name
  location              = azurerm_resource_group.livekit.location
  size                  = each.value.size
  admin_username        = "ubuntu"
  network_interface_ids = [azurerm_network_interface.livekit[each.key].id]
  custom_data           = base64encode(local.user_data)
#if TRUSTED_LAUNCH

  secure_boot_enabled = true
  vtpm_enabled        = true
#end

  admin_ssh_key {
    username   = "ubuntu"
    public_key = file(pathexpand(var.ssh_key_file))
  }

  os_disk {
    caching              = "ReadWrite"
    storage_account_type = "Premium_LRS"
    disk_size_gb         = @DISK@
  }

  source_image_reference {
    publisher = @PUBLISHER@
    offer     = @OFFER@
    sku       = @SKU@
    version   = "latest"
  }
#if ROLE

  identity {
    type = "SystemAssigned"
  }
#end

  # The firewall protects it from its creation on.
  depends_on = [
    azurerm_network_interface_security_group_association.livekit,
    azurerm_network_security_rule.livekit,
  ]

  # A new version of this file never replaces a machine, and a smaller number deletes none. Another size would stop all
  # of them at once.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [admin_ssh_key, custom_data, os_disk[0].disk_size_gb, size, source_image_reference]
  }
}

. "./terraform/records/azure.tf"
. "./terraform/common.tf"
