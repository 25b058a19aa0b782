# Network, firewall, address and machine for @DOMAIN@ at Azure, for Terraform and OpenTofu.
# ARM_SUBSCRIPTION_ID has the subscription, and "az login" lets it in. README.md says how to use this, and what the
# state holds.

. "./terraform/provider/azure.tf"

locals {
  name    = @NAME@
  zone    = var.dns_zone
  address = azurerm_public_ip.ipv4.ip_address
#if IPV6

  address6 = azurerm_public_ip.ipv6.ip_address
#end

  # Who may connect to which ports, by priority. The machine's own firewall says the same.
  rules = {
@RULES@
  }
}

resource "azurerm_resource_group" "livekit" {
  name     = local.name
  location = @REGION@
}

resource "azurerm_network_security_group" "livekit" {
  name                = local.name
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location
}

resource "azurerm_network_security_rule" "livekit" {
  for_each = local.rules

  name                        = "rule-${each.key}"
  resource_group_name         = azurerm_resource_group.livekit.name
  network_security_group_name = azurerm_network_security_group.livekit.name
  priority                    = tonumber(each.key)
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
  name                = local.name
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
  name                = "${local.name}-6"
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
  name                = local.name
  resource_group_name = azurerm_resource_group.livekit.name
  location            = azurerm_resource_group.livekit.location

  ip_configuration {
    name                          = "ipconfig1"
    primary                       = true
    subnet_id                     = azurerm_subnet.livekit.id
    private_ip_address_allocation = "Dynamic"
    public_ip_address_id          = azurerm_public_ip.ipv4.id
  }
#if IPV6

  ip_configuration {
    name                          = "ipv6"
    subnet_id                     = azurerm_subnet.livekit.id
    private_ip_address_allocation = "Dynamic"
    private_ip_address_version    = "IPv6"
    public_ip_address_id          = azurerm_public_ip.ipv6.id
  }
#end
}

resource "azurerm_network_interface_security_group_association" "livekit" {
  network_interface_id      = azurerm_network_interface.livekit.id
  network_security_group_id = azurerm_network_security_group.livekit.id
}

resource "azurerm_linux_virtual_machine" "livekit" {
  name                  = local.name
  resource_group_name   = azurerm_resource_group.livekit.name
  location              = azurerm_resource_group.livekit.location
  size                  = @SIZE@
  admin_username        = "ubuntu"
  network_interface_ids = [azurerm_network_interface.livekit.id]
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

  # A new version of this file never replaces the machine.
  lifecycle {
    prevent_destroy = true
    ignore_changes  = [admin_ssh_key, custom_data, source_image_reference]
  }
}

. "./terraform/records/azure.tf"
. "./terraform/common.tf"
