# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
SSH_KEY="${SSH_KEY:-}"
need SSH_KEY "$SSH_KEY" "the id from 'vultr-cli ssh-key list'"

group_id() { vultr-cli firewall group list --per-page 500 | awk -v name="$NAME" '$NF == name { print $1 }'; }
group=$(group_id)
if [ -z "$group" ]; then
  vultr-cli firewall group create --description "$NAME" >/dev/null
  group=$(group_id)
fi
vultr-cli firewall rule list "$group" --per-page 500 >"$work/rules"
# allow PROTOCOL PORTS FAMILY NETWORK BITS
allow() {
  note=$1/$2/$4/$5
  awk -v note="$note" '$NF == note { found = 1 } END { exit !found }' "$work/rules" ||
    vultr-cli firewall rule create "$group" --protocol "$1" --port "$2" --ip-type "$3" --subnet "$4" --size "$5" --notes "$note" >/dev/null
}
@RULES@
reserved() { vultr-cli reserved-ip list --per-page 500 | awk -v name="$NAME" -v column="$1" '$6 == name { print $column }'; }
if [ -z "$(reserved 1)" ]; then
  vultr-cli reserved-ip create --region "$REGION" --type v4 --label "$NAME" >/dev/null
fi
address=$(reserved 4)
instance_id() { vultr-cli instance list --per-page 500 | awk -v name="$NAME" '$3 == name { print $1 }'; }
instance=$(instance_id)
if [ -z "$instance" ]; then
  vultr-cli instance create --region "$REGION" --plan "$SIZE" --os @IMAGE@ --label "$NAME" --host "$NAME" \
    --ssh-keys "$SSH_KEY" --firewall-group "$group" --reserved-ipv4 "$(reserved 1)"@IPV6_FLAGS@ \
    --userdata-file "$USER_DATA" >/dev/null
  instance=$(instance_id)
fi
#if IPV6
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  address6=$(vultr-cli instance get "$instance" | awk '/^V6 MAIN IP/ { print $4 }')
  [ -z "$address6" ] || break
  sleep 5
done
[ -n "$address6" ] || { echo "Vultr has given the machine no IPv6 address yet. Run this again in a minute." >&2; exit 1; }
#end
