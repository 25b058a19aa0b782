# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
SSH_KEY="${SSH_KEY:-}"
need SSH_KEY "$SSH_KEY" "the id or fingerprint from 'doctl compute ssh-key list'"

doctl compute tag list --format Name --no-header | grep -qxF "$NAME" || doctl compute tag create "$NAME" >/dev/null
INBOUND="@RULES@"
OUTBOUND="protocol:icmp,address:0.0.0.0/0,address:::/0 protocol:tcp,ports:all,address:0.0.0.0/0,address:::/0 protocol:udp,ports:all,address:0.0.0.0/0,address:::/0"
firewall=$(doctl compute firewall list --format ID,Name --no-header | awk -v name="$NAME" '$2 == name { print $1 }')
if [ -z "$firewall" ]; then
  doctl compute firewall create --name "$NAME" --tag-names "$NAME" --inbound-rules "$INBOUND" --outbound-rules "$OUTBOUND" >/dev/null
else
  doctl compute firewall update "$firewall" --name "$NAME" --tag-names "$NAME" --inbound-rules "$INBOUND" --outbound-rules "$OUTBOUND" >/dev/null
fi
droplet=$(doctl compute droplet list --tag-name "$NAME" --format ID --no-header | head -n 1)
if [ -z "$droplet" ]; then
  droplet=$(doctl compute droplet create "$NAME" --region "$REGION" --size "$SIZE" --image @IMAGE@ \
    --ssh-keys "$SSH_KEY" --tag-names "$NAME"@IPV6_FLAGS@ \
    --user-data-file "$USER_DATA" --wait --format ID --no-header)
fi
address=$(doctl compute reserved-ip list --format IP,DropletID --no-header | awk -v id="$droplet" '$2 == id { print $1 }')
if [ -z "$address" ]; then
  address=$(doctl compute reserved-ip create --droplet-id "$droplet" --format IP --no-header)
fi
#if IPV6
address6=$(doctl compute droplet get "$droplet" --format PublicIPv6 --no-header)
#end
