# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # It shares its variables with create-vm.sh.
ZONE="${ZONE:-$REGION-b}"
#if ROLE
SERVICE_ACCOUNT="${SERVICE_ACCOUNT:-}"
need SERVICE_ACCOUNT "$SERVICE_ACCOUNT" "the e-mail of one that may write to your bucket"
#end

exists() { gcloud compute "$@" --format=none 2>/dev/null; }
exists networks describe "$NAME" || gcloud compute networks create "$NAME" --subnet-mode=custom
exists networks subnets describe "$NAME" --region="$REGION" ||
  gcloud compute networks subnets create "$NAME" --network="$NAME" --region="$REGION" --range=10.0.0.0/24@SUBNET_IPV6@
# allow NUMBER PORTS SOURCES
allow() {
  if exists firewall-rules describe "$NAME-$1"; then
    gcloud compute firewall-rules update "$NAME-$1" --allow="$2" --source-ranges="$3"
  else
    gcloud compute firewall-rules create "$NAME-$1" --network="$NAME" --direction=INGRESS \
      --allow="$2" --source-ranges="$3" --target-tags="$NAME"
  fi
}
@RULES@
exists addresses describe "$NAME" --region="$REGION" || gcloud compute addresses create "$NAME" --region="$REGION"
address=$(gcloud compute addresses describe "$NAME" --region="$REGION" --format='value(address)')
exists instances describe "$NAME" --zone="$ZONE" ||
  gcloud compute instances create "$NAME" --zone="$ZONE" --machine-type="$SIZE" \
    --image-family=@IMAGE@ --image-project=ubuntu-os-cloud \
    --boot-disk-size="${DISK_GB}GB" --boot-disk-type=@DISK_TYPE@ \
    --subnet="$NAME"@IPV6_FLAGS@ --address="$address" --tags="$NAME" \
    @ROLE_FLAGS@ \
    --metadata-from-file="user-data=$USER_DATA"
#if IPV6
address6=$(gcloud compute instances describe "$NAME" --zone="$ZONE" --format='value(networkInterfaces[0].ipv6AccessConfigs[0].externalIpv6)')
#end
