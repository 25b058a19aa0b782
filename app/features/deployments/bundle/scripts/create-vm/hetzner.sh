# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
SSH_KEY="${SSH_KEY:-}"
need SSH_KEY "$SSH_KEY" "the name or id from 'hcloud ssh-key list'"

cat >"$work/rules.json" <<'END'
[
@RULES@
]
END
if hcloud firewall describe "$NAME" >/dev/null 2>&1; then
  hcloud firewall replace-rules "$NAME" --rules-file "$work/rules.json" >/dev/null
else
  hcloud firewall create --name "$NAME" --rules-file "$work/rules.json" >/dev/null
fi
#if IPV4
hcloud primary-ip describe "$NAME" >/dev/null 2>&1 ||
  hcloud primary-ip create --type ipv4 --name "$NAME" --location "$REGION" >/dev/null
#end
#if IPV6
hcloud primary-ip describe "$NAME-6" >/dev/null 2>&1 ||
  hcloud primary-ip create --type ipv6 --name "$NAME-6" --location "$REGION" >/dev/null
#end
hcloud server describe "$NAME" >/dev/null 2>&1 ||
  hcloud server create --name "$NAME" --type "$SIZE" --image @IMAGE@ --location "$REGION" \
    --ssh-key "$SSH_KEY" --firewall "$NAME" @ADDRESS_FLAGS@ \
    --user-data-from-file "$USER_DATA" >/dev/null
#if IPV4
address=$(hcloud server ip "$NAME")
#end
#if IPV6
address6=$(hcloud server ip --ipv6 "$NAME")
#end
