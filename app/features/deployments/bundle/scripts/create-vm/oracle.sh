# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154,SC2170 # It shares its variables with create-vm.sh.
# User data is compressed with gzip, which cloud-init unpacks. If it is over the limit even so, it is a link to the text in a
# private bucket. That text is not compressed: at later boots cloud-init reads its copy as text, and would fail.
COMPARTMENT="${COMPARTMENT:-}"
need COMPARTMENT "$COMPARTMENT" "the OCID of the compartment (or tenancy) for the machine"
SSH_KEY="${SSH_KEY:-$HOME/.ssh/id_ed25519.pub}"
[ -r "$SSH_KEY" ] || need SSH_KEY '' "the file of your public SSH key"
export OCI_CLI_REGION="$REGION"
# found QUERY COMMAND…: what is there, or nothing.
found() {
  query=$1
  shift
  oci "$@" --compartment-id "$COMPARTMENT" --query "$query" --raw-output 2>"$work/error" || { cat "$work/error" >&2; exit 1; }
}
id() { found 'data[0].id' "$@"; }

vcn=$(id network vcn list --display-name "$NAME" --lifecycle-state AVAILABLE)
if [ -z "$vcn" ]; then
  vcn=$(oci network vcn create --compartment-id "$COMPARTMENT" --display-name "$NAME" --cidr-blocks '["10.0.0.0/16"]'@NETWORK_IPV6@ \
    --wait-for-state AVAILABLE --query data.id --raw-output)
fi
of_vcn() { oci network vcn get --vcn-id "$vcn" --query "$1" --raw-output; }
gateway=$(id network internet-gateway list --vcn-id "$vcn")
if [ -z "$gateway" ]; then
  gateway=$(oci network internet-gateway create --compartment-id "$COMPARTMENT" --vcn-id "$vcn" --is-enabled true \
    --wait-for-state AVAILABLE --query data.id --raw-output)
fi
oci network route-table update --rt-id "$(of_vcn 'data."default-route-table-id"')" --force \
  --route-rules '[@ROUTES@]' >/dev/null
oci network security-list update --security-list-id "$(of_vcn 'data."default-security-list-id"')" --force \
  --egress-security-rules '[@EGRESS_RULES@]' --ingress-security-rules '[
@RULES@
]' >/dev/null
subnet=$(id network subnet list --vcn-id "$vcn" --display-name "$NAME" --lifecycle-state AVAILABLE)
if [ -z "$subnet" ]; then
#if IPV6
  block=$(of_vcn 'data."ipv6-cidr-blocks"[0]')
#end
  subnet=$(oci network subnet create --compartment-id "$COMPARTMENT" --vcn-id "$vcn" --display-name "$NAME" --cidr-block 10.0.0.0/24@SUBNET_IPV6@ \
    --wait-for-state AVAILABLE --query data.id --raw-output)
fi

instance=
for state in RUNNING STOPPED STARTING PROVISIONING; do
  [ -n "$instance" ] || instance=$(id compute instance list --display-name "$NAME" --lifecycle-state "$state")
done
if [ -z "$instance" ]; then
  domain="${AVAILABILITY_DOMAIN:-$(oci iam availability-domain list --compartment-id "$COMPARTMENT" --query 'data[0].name' --raw-output)}"
  image=$(id compute image list --operating-system "Canonical Ubuntu" --operating-system-version 24.04 --shape "$SIZE" --sort-by TIMECREATED --sort-order DESC)
  [ -n "$image" ] || { echo "Oracle has no image of Ubuntu 24.04 for $SIZE here." >&2; exit 1; }
  gzip -9nc "$USER_DATA" >"$work/user-data"
  if [ "$(wc -c <"$work/user-data")" -gt @LIMIT@ ]; then
    # The machine fetches it from a private bucket, once, by a link that works for an hour. README.md: how to delete it.
    bucket=@BUCKET@
    echo "cloud-init.yaml is larger than what Oracle takes: it goes through the private bucket $bucket."
    oci os bucket get --bucket-name "$bucket" >/dev/null 2>&1 ||
      oci os bucket create --name "$bucket" --compartment-id "$COMPARTMENT" --public-access-type NoPublicAccess >/dev/null
    oci os object put --bucket-name "$bucket" --name cloud-init.yaml --file "$USER_DATA" --force >/dev/null
    end=$(($(date +%s) + 3600))
    end=$(date -u -d "@$end" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$end" +%Y-%m-%dT%H:%M:%SZ)
    path=$(oci os preauth-request create --bucket-name "$bucket" --name first-boot --access-type ObjectRead \
      --object-name cloud-init.yaml --time-expires "$end" --query 'data."access-uri"' --raw-output)
    printf '#include-once\nhttps://objectstorage.%s.oraclecloud.com%s\n' "$REGION" "$path" >"$work/user-data"
  fi
  instance=$(oci compute instance launch --compartment-id "$COMPARTMENT" --availability-domain "$domain" --display-name "$NAME" \
    --shape "$SIZE" --shape-config '{"ocpus":@OCPUS@,"memoryInGBs":@MEMORY@}' --image-id "$image" --subnet-id "$subnet" \
    --assign-public-ip false@IPV6_FLAGS@ --boot-volume-size-in-gbs "$DISK_GB" --ssh-authorized-keys-file "$SSH_KEY" \
    --user-data-file "$work/user-data" --wait-for-state RUNNING --query data.id --raw-output)
fi
vnic=$(oci compute instance list-vnics --instance-id "$instance" --query 'data[0].id' --raw-output)
private=$(oci network private-ip list --vnic-id "$vnic" --query 'data[0].id' --raw-output)
# reserved COLUMN
reserved() { found "data[?\"display-name\"=='$NAME'] | [0].\"$1\"" network public-ip list --scope REGION --lifetime RESERVED --all; }
if [ -z "$(reserved id)" ]; then
  oci network public-ip create --compartment-id "$COMPARTMENT" --lifetime RESERVED --display-name "$NAME" --private-ip-id "$private" >/dev/null
elif [ "$(reserved private-ip-id)" != "$private" ]; then
  oci network public-ip update --public-ip-id "$(reserved id)" --private-ip-id "$private" --force >/dev/null
fi
address=$(reserved ip-address)
#if IPV6
address6=$(oci network ipv6 list --vnic-id "$vnic" --query 'data[0]."ip-address"' --raw-output)
#end
