#!/bin/sh
# Takes a certificate that Caddy does not get itself: from two files, or from Let's Encrypt by a record at the DNS provider.
# certificate.sh [FULLCHAIN KEY] | --check | --keep
# --check prints what is wrong with the one in use. --keep leaves in use what Caddy had got itself, until there is another.
# Exit: 0 in use, or nothing to do, 1 not, with the reason, and nothing was changed, 64 usage, 75 busy.
FROM=$PWD
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
# Below Caddy's own folder, so that backups hold it. Caddy reads every .pem file there, each with certificates and key.
FOLDER=data/caddy/given
TAKEN=$FOLDER/certificate.pem

absolute() { case $1 in /*) say "$1" ;; *) say "$FROM/$1" ;; esac; }
# fault FULLCHAIN KEY: prints what Caddy could not do with them.
fault() {
  if ! openssl x509 -noout -in "$1" 2>/dev/null; then say "$1 holds no certificate in PEM."
  elif ! key=$(openssl pkey -in "$2" -passin pass: -pubout 2>/dev/null); then say "$2 holds no key in PEM, or one with a passphrase."
  elif [ "$key" != "$(openssl x509 -noout -pubkey -in "$1")" ]; then say "The key does not belong to the certificate."; fi
}
# unfit FULLCHAIN: prints why clients would refuse it, as far as the file tells.
unfit() {
  openssl x509 -noout -checkend 0 -in "$1" >/dev/null || say "The certificate has ended."
  for name in $(names "$TURN_DOMAIN"); do
    openssl x509 -noout -checkhost "$name" -in "$1" | grep -q 'does match' || say "The certificate is not for $name."
  done
}
fingerprint() { openssl x509 -noout -fingerprint -sha256 2>/dev/null; }
shown() {
  port=443
  [ "$PROXY" = none ] || port=8443
  [ "$(timeout 5 openssl s_client -connect "127.0.0.1:$port" -servername "$DOMAIN" </dev/null 2>/dev/null | fingerprint)" = "$(fingerprint <"$TAKEN")" ]
}
# take FULLCHAIN KEY
take() {
  wrong=$(fault "$1" "$2")
  [ -n "$wrong" ] || wrong=$(unfit "$1")
  [ -z "$wrong" ] || fail 1 "$wrong Nothing was changed."
  alone
  mkdir -p "$FOLDER"
  { cat "$1" && echo && cat "$2"; } | put "$TAKEN" 0600
  find "$FOLDER" -name '*.pem' ! -name certificate.pem -delete
  case $(condition caddy) in running*) ;; *) say "Taken. Caddy has it from its next start on." && return 0 ;; esac
  # On this signal Caddy reads its files anew, and no connection is cut. Caddy 2.10 ignores it and is started anew. It comes from
  # within: Docker takes one that it sends itself for a stop by hand, and would not start Caddy again after a crash.
  docker compose exec -T caddy sh -c 'kill -USR1 1' </dev/null || true
  tries=0
  until shown; do
    tries=$((tries + 1))
    if [ "$tries" = 10 ]; then
      docker compose up -d --no-deps --force-recreate caddy || fail 1 "Taken, but Caddy did not start: sudo livekit-deploy logs caddy"
      break
    fi
    sleep 1
  done
  say "Taken: Caddy has it now, for TURN too."
}
# by_dns: gets or renews it. Whether it is time for a new one, lego knows from the certificate and its authority.
by_dns() {
#if CLUSTER
  has_service caddy || { say "No Caddy runs on this machine, so it needs no certificate." && exit 0; }
#end
  for name in $(words "$DNS_CREDENTIALS"); do
    grep -q "^$name=." dns.env 2>/dev/null ||
      fail 1 "The credentials of your DNS provider are missing. First: sudo livekit-deploy set dns-credentials"
  done
  set -- docker run --rm --network host -v "$HERE/data/caddy/lego:/data"
  if [ -e dns.env ]; then
    set -a
    # shellcheck source=/dev/null
    . ./dns.env
    set +a
    for name in $(sed -n 's/^\([A-Z][A-Z0-9_]*\)=.*/\1/p' dns.env); do set -- "$@" -e "$name"; done
  fi
  # The API of Route 53 is the same in every region, and wants one.
  set -- "$@" -e AWS_REGION=us-east-1 "$LEGO_IMAGE" --log.format text run --path /data --accept-tos --email "$EMAIL" --dns "$DNS_PROVIDER" \
    --cert.name certificate --force-cert-domains --no-random-sleep
  for name in $(names "$TURN_DOMAIN"); do set -- "$@" --domains "$name"; done
#if CLUSTER
  # Let's Encrypt gives five certificates in a week for the same names. So each machine has one name more, which is its own.
  set -- "$@" --domains "m-$(sha256sum "$ROOT/etc/machine-id" | cut -c 1-12).$DOMAIN"
#end
  if ! "$@" </dev/null >state/certificate.log 2>&1; then
    tail -n 20 state/certificate.log >&2
    { grep level=ERROR state/certificate.log || cat state/certificate.log; } | tail -n 1 | sed 's/^.* error="//; s/"$//; s/\\//g' |
      put state/certificate-problem 0644
    fail 1 "No certificate was issued. Nothing was changed."
  fi
  rm -f state/certificate-problem
  got=data/caddy/lego/certificates/certificate
  if [ -e "$TAKEN" ] && [ "$(fingerprint <"$got.crt")" = "$(fingerprint <"$TAKEN")" ]; then say "The certificate is not due for renewal."
  else take "$got.crt" "$got.key"; fi
}

case ${1:-} in
--check)
  [ ! -e "$TAKEN" ] || fault "$TAKEN" "$TAKEN"
  exit 0
  ;;
--keep)
  [ ! -d "$FOLDER" ] || exit 0
  mkdir -p "$FOLDER"
  for name in $(names "$TURN_DOMAIN"); do
    for file in data/caddy/certificates/*/"$name/$name.crt"; do
      [ ! -e "$file" ] || cat "$file" "${file%.crt}.key" | put "$FOLDER/$name.pem" 0600
    done
  done
  exit 0
  ;;
esac
case $CERTIFICATES,$# in
dns,0) by_dns ;;
files,2)
  take "$(absolute "$1")" "$(absolute "$2")"
  ;;
dns,*) fail 64 "Usage: certificate. It asks by your DNS provider." ;;
*) fail 64 "Usage: certificate FULLCHAIN.pem KEY.pem" ;;
esac
