# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
SSH_KEY="${SSH_KEY:-$HOME/.ssh/id_ed25519.pub}"
[ -r "$SSH_KEY" ] || need SSH_KEY '' "the file of your public SSH key"
#if DOUBLE_HYPHEN
NAME=@LINODE_NAME@
#end

# Names of firewalls have 32 characters at most.
firewall_name=@FIREWALL_NAME@
rules='[
@RULES@
]'
firewall=$(linode-cli firewalls list --label "$firewall_name" --text --no-headers --format id)
if [ -z "$firewall" ]; then
  firewall=$(linode-cli firewalls create --label "$firewall_name" --rules.inbound_policy DROP --rules.outbound_policy ACCEPT \
    --rules.inbound "$rules" --text --no-headers --format id)
else
  linode-cli firewalls rules-update "$firewall" --inbound_policy DROP --outbound_policy ACCEPT --inbound "$rules" --text --no-headers >/dev/null
fi
# machine COLUMN
machine() { linode-cli linodes list --label "$NAME" --text --no-headers --format "$1"; }
if [ -z "$(machine id)" ]; then
  linode-cli linodes create --label "$NAME" --region "$REGION" --type "$SIZE" --image @IMAGE@ \
    --firewall_id "$firewall" --authorized_keys "$(cat "$SSH_KEY")" --root_pass "$(head -c 32 /dev/urandom | base64)" \
    --metadata.user_data "$(base64 <"$USER_DATA" | tr -d '\n')" --text --no-headers --format id >/dev/null
fi
address=$(machine ipv4 | cut -d ' ' -f 1)
#if IPV6
address6=$(machine ipv6 | cut -d / -f 1)
#end
