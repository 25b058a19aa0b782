# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
KEY_NAME="${KEY_NAME:-}"
need KEY_NAME "$KEY_NAME" "a name from 'openstack keypair list'"
export OS_REGION_NAME="$REGION"

openstack security group show "$NAME" -f value -c id >/dev/null 2>&1 ||
  openstack security group create "$NAME" -f value -c id >/dev/null
# allow PROTOCOL FIRST:LAST SOURCE
allow() {
  openstack security group rule create --ingress --ethertype IPv4 --protocol "$1" --dst-port "$2" --remote-ip "$3" \
    -f value -c id "$NAME" >/dev/null 2>"$work/error" ||
    grep -qi 'already exists' "$work/error" || { cat "$work/error" >&2; exit 1; }
}
@RULES@
openstack server show "$NAME" -f value -c id >/dev/null 2>&1 ||
  openstack server create --flavor "$SIZE" --image "@IMAGE@" --network Ext-Net --security-group "$NAME" \
    --key-name "$KEY_NAME" --user-data "$USER_DATA" --wait -f value -c id "$NAME" >/dev/null
address=$(openstack server show "$NAME" -f value -c addresses | grep -oE '([0-9]{1,3}\.){3}[0-9]{1,3}' | head -n 1)
