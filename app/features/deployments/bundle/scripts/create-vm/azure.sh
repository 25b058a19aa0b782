# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
SSH_KEY="${SSH_KEY:-$HOME/.ssh/id_ed25519.pub}"
[ -r "$SSH_KEY" ] || need SSH_KEY '' "the file of your public SSH key"

az group create --name "$NAME" --location "$REGION" --output none
az network nsg create --resource-group "$NAME" --name "$NAME" --output none
# allow PRIORITY PROTOCOL PORTS SOURCE…
allow() {
  priority=$1 protocol=$2 ports=$3
  shift 3
  az network nsg rule create --resource-group "$NAME" --nsg-name "$NAME" --name "rule-$priority" \
    --priority "$priority" --direction Inbound --access Allow --protocol "$protocol" \
    --destination-port-ranges "$ports" --source-address-prefixes "$@" --output none
}
@RULES@
az network vnet create --resource-group "$NAME" --name "$NAME" --address-prefixes 10.0.0.0/16@NETWORK_IPV6@ \
  --subnet-name default --subnet-prefixes 10.0.0.0/24@SUBNET_IPV6@ --output none
az network public-ip create --resource-group "$NAME" --name "$NAME" --sku Standard --allocation-method Static --output none
address=$(az network public-ip show --resource-group "$NAME" --name "$NAME" --query ipAddress --output tsv)
az network nic create --resource-group "$NAME" --name "$NAME" --vnet-name "$NAME" --subnet default \
  --network-security-group "$NAME" --public-ip-address "$NAME" --output none
#if IPV6
az network public-ip create --resource-group "$NAME" --name "$NAME-6" --sku Standard --allocation-method Static --version IPv6 --output none
address6=$(az network public-ip show --resource-group "$NAME" --name "$NAME-6" --query ipAddress --output tsv)
az network nic ip-config create --resource-group "$NAME" --nic-name "$NAME" --name ipv6 --private-ip-address-version IPv6 \
  --vnet-name "$NAME" --subnet default --public-ip-address "$NAME-6" --output none
#end
if ! az vm show --resource-group "$NAME" --name "$NAME" --output none 2>/dev/null; then
  az vm create --resource-group "$NAME" --name "$NAME" --location "$REGION" --size "$SIZE" \
    --image @IMAGE@ --nics "$NAME" --os-disk-size-gb "$DISK_GB" \
    --admin-username ubuntu --ssh-key-values "$SSH_KEY" --custom-data "$USER_DATA"@ROLE_FLAGS@ --output none
fi
