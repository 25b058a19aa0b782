# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154,SC2170 # It shares its variables with create-vm.sh.
# With IPv6 the deployment has a network of its own: AWS's default network has no IPv6, and other machines are in it. In a
# network of one's own a machine must ask for a public IPv4 address for its first seconds, which cloud-init may need.
# User data is compressed with gzip, which cloud-init unpacks. If it is over the limit even so, it is a link to the text in a
# private bucket. That text is not compressed: at later boots cloud-init reads its copy as text, and would fail.
KEY_NAME="${KEY_NAME:-}"
need KEY_NAME "$KEY_NAME" "the name of your EC2 key pair"
#if ROLE
INSTANCE_PROFILE="${INSTANCE_PROFILE:-}"
need INSTANCE_PROFILE "$INSTANCE_PROFILE" "a role that may write to your bucket"
#end
export AWS_DEFAULT_REGION="$REGION" AWS_PAGER=

#if IPV6
own="Name=tag:Name,Values=$NAME" tags="Tags=[{Key=Name,Value=$NAME}]"
vpc=$(aws ec2 describe-vpcs --filters "$own" --query 'Vpcs[0].VpcId' --output text)
if [ "$vpc" = None ]; then
  vpc=$(aws ec2 create-vpc --cidr-block 10.0.0.0/16 --amazon-provided-ipv6-cidr-block --tag-specifications "ResourceType=vpc,$tags" --query Vpc.VpcId --output text)
fi
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  block=$(aws ec2 describe-vpcs --vpc-ids "$vpc" --query "Vpcs[0].Ipv6CidrBlockAssociationSet[?Ipv6CidrBlockState.State=='associated'].Ipv6CidrBlock | [0]" --output text)
  [ "$block" = None ] || break
  sleep 5
done
[ "$block" != None ] || { echo "AWS has given $vpc no IPv6 addresses yet. Run this again in a minute." >&2; exit 1; }
# unless_there ERROR COMMAND…
unless_there() {
  error=$1
  shift
  "$@" >/dev/null 2>"$work/error" || grep -q "$error" "$work/error" || { cat "$work/error" >&2; exit 1; }
}
gateway=$(aws ec2 describe-internet-gateways --filters "$own" --query 'InternetGateways[0].InternetGatewayId' --output text)
if [ "$gateway" = None ]; then
  gateway=$(aws ec2 create-internet-gateway --tag-specifications "ResourceType=internet-gateway,$tags" --query InternetGateway.InternetGatewayId --output text)
fi
unless_there Resource.AlreadyAssociated aws ec2 attach-internet-gateway --internet-gateway-id "$gateway" --vpc-id "$vpc"
table=$(aws ec2 describe-route-tables --filters "Name=vpc-id,Values=$vpc" Name=association.main,Values=true --query 'RouteTables[0].RouteTableId' --output text)
unless_there RouteAlreadyExists aws ec2 create-route --route-table-id "$table" --gateway-id "$gateway" --destination-cidr-block 0.0.0.0/0
unless_there RouteAlreadyExists aws ec2 create-route --route-table-id "$table" --gateway-id "$gateway" --destination-ipv6-cidr-block ::/0
subnet=$(aws ec2 describe-subnets --filters "Name=vpc-id,Values=$vpc" --query 'Subnets[0].SubnetId' --output text)
if [ "$subnet" = None ]; then
  zone=$(aws ec2 describe-instance-type-offerings --location-type availability-zone --filters "Name=instance-type,Values=$SIZE" --query 'sort(InstanceTypeOfferings[].Location)[0]' --output text)
  subnet=$(aws ec2 create-subnet --vpc-id "$vpc" --availability-zone "$zone" --cidr-block 10.0.0.0/24 --ipv6-cidr-block "${block%/*}/64" --query Subnet.SubnetId --output text)
fi
#end
#if IPV4_ONLY
vpc=$(aws ec2 describe-vpcs --filters Name=is-default,Values=true --query 'Vpcs[0].VpcId' --output text)
#end
group=$(aws ec2 describe-security-groups --filters "Name=group-name,Values=$NAME" "Name=vpc-id,Values=$vpc" --query 'SecurityGroups[0].GroupId' --output text)
if [ "$group" = None ]; then
  group=$(aws ec2 create-security-group --group-name "$NAME" --description LiveKit --vpc-id "$vpc" --query GroupId --output text)
fi
# allow PROTOCOL FIRST LAST SOURCE
allow() {
  case $4 in *:*) ranges="Ipv6Ranges=[{CidrIpv6=$4}]" ;; *) ranges="IpRanges=[{CidrIp=$4}]" ;; esac
  aws ec2 authorize-security-group-ingress --group-id "$group" \
    --ip-permissions "IpProtocol=$1,FromPort=$2,ToPort=$3,$ranges" >/dev/null 2>"$work/error" ||
    grep -q InvalidPermission.Duplicate "$work/error" || { cat "$work/error" >&2; exit 1; }
}
@RULES@
allocation=$(aws ec2 describe-addresses --filters "Name=tag:Name,Values=$NAME" --query 'Addresses[0].AllocationId' --output text)
if [ "$allocation" = None ]; then
  allocation=$(aws ec2 allocate-address --domain vpc --tag-specifications "ResourceType=elastic-ip,Tags=[{Key=Name,Value=$NAME}]" --query AllocationId --output text)
fi
address=$(aws ec2 describe-addresses --allocation-ids "$allocation" --query 'Addresses[0].PublicIp' --output text)

instance=$(aws ec2 describe-instances --filters "Name=tag:Name,Values=$NAME" Name=instance-state-name,Values=pending,running,stopping,stopped --query 'Reservations[0].Instances[0].InstanceId' --output text)
if [ "$instance" = None ]; then
  gzip -9nc "$USER_DATA" >"$work/user-data"
  if [ "$(wc -c <"$work/user-data")" -gt @LIMIT@ ]; then
    # AWS takes 16 KB of user data: the machine fetches this from a private bucket, once, by a link that works for an
    # hour. The file is deleted after a day. The bucket stays, empty: the README says how to delete it.
    account=$(aws sts get-caller-identity --query Account --output text)
    bucket=@BUCKET@
    echo "cloud-init.yaml is larger than the 16 KB that AWS takes: it goes through the private bucket $bucket."
    aws s3api head-bucket --bucket "$bucket" --expected-bucket-owner "$account" >/dev/null 2>&1 ||
      aws s3 mb "s3://$bucket" >/dev/null
    aws s3api put-public-access-block --bucket "$bucket" --expected-bucket-owner "$account" --public-access-block-configuration \
      BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true
    aws s3api put-bucket-encryption --bucket "$bucket" --expected-bucket-owner "$account" --server-side-encryption-configuration \
      '{"Rules":[{"ApplyServerSideEncryptionByDefault":{"SSEAlgorithm":"AES256"}}]}'
    aws s3api put-bucket-lifecycle-configuration --bucket "$bucket" --expected-bucket-owner "$account" --lifecycle-configuration \
      '{"Rules":[{"ID":"one-day","Status":"Enabled","Filter":{"Prefix":""},"Expiration":{"Days":1}}]}' >/dev/null
    aws s3api put-object --bucket "$bucket" --expected-bucket-owner "$account" --key cloud-init.yaml --body "$USER_DATA" >/dev/null
    # A new bucket answers at its region's own name only: another would send the machine on, and a link is signed for its host.
    link=$(aws s3 presign "s3://$bucket/cloud-init.yaml" --expires-in 3600 --endpoint-url "https://s3.$REGION.amazonaws.com")
    printf '#include-once\n%s\n' "$link" >"$work/user-data"
  fi
  instance=$(aws ec2 run-instances --instance-type "$SIZE" --key-name "$KEY_NAME" \
    --image-id @IMAGE@ \
    --security-group-ids "$group"@IPV6_FLAGS@@ROLE_FLAGS@ \
    --metadata-options HttpTokens=required,HttpPutResponseHopLimit=1 \
    --block-device-mappings "DeviceName=@DISK_NAME@,Ebs={VolumeSize=$DISK_GB,VolumeType=gp3,Encrypted=true}" \
    --tag-specifications "ResourceType=instance,Tags=[{Key=Name,Value=$NAME}]" \
    --user-data "fileb://$work/user-data" --query 'Instances[0].InstanceId' --output text)
fi
aws ec2 wait instance-running --instance-ids "$instance"
aws ec2 associate-address --instance-id "$instance" --allocation-id "$allocation" >/dev/null
#if IPV6
address6=$(aws ec2 describe-instances --instance-ids "$instance" --query 'Reservations[0].Instances[0].Ipv6Address' --output text)
#end
