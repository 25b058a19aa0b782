import { usesInstanceRole } from "../derived-options.ts";
import type { DeploymentOptions } from "../options.ts";
import { providers } from "../providers.ts";
import { providerRulesOf } from "./provider-rules.ts";

const amazonLinux =
  "resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64";

const defaultNetwork = `vpc=$(aws ec2 describe-vpcs --filters Name=is-default,Values=true --query 'Vpcs[0].VpcId' --output text)
`;

/** The default network has no IPv6, and others' machines: this one is the deployment's own. */
const dualNetwork = `own="Name=tag:Name,Values=$NAME" tags="Tags=[{Key=Name,Value=$NAME}]"
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
  subnet=$(aws ec2 create-subnet --vpc-id "$vpc" --availability-zone "$zone" --cidr-block 10.0.0.0/24 --ipv6-cidr-block "\${block%/*}/64" --query Subnet.SubnetId --output text)
fi
`;

/** Metadata only by token and no hop away, the disk encrypted; user data as gzip, which cloud-init unpacks. */
export function awsCommands(options: DeploymentOptions): string {
  const ubuntu = options.system === "ubuntu-24.04";
  const dual = options.addresses === "dual";
  const role = usesInstanceRole(options);
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => `allow ${protocol} ${first} ${last} ${source}\n`),
  );
  return `KEY_NAME="\${KEY_NAME:-}"
need KEY_NAME "$KEY_NAME" "the name of your EC2 key pair"
${role ? `INSTANCE_PROFILE="\${INSTANCE_PROFILE:-}"\nneed INSTANCE_PROFILE "$INSTANCE_PROFILE" "a role that may write to your bucket"\n` : ""}export AWS_DEFAULT_REGION="$REGION" AWS_PAGER=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

${dual ? dualNetwork : defaultNetwork}group=$(aws ec2 describe-security-groups --filters "Name=group-name,Values=$NAME" "Name=vpc-id,Values=$vpc" --query 'SecurityGroups[0].GroupId' --output text)
if [ "$group" = None ]; then
  group=$(aws ec2 create-security-group --group-name "$NAME" --description LiveKit --vpc-id "$vpc" --query GroupId --output text)
fi
# allow PROTOCOL FIRST LAST SOURCE
allow() {
  case $4 in *:*) ranges="Ipv6Ranges=[{CidrIpv6=$4}]" ;; *) ranges="IpRanges=[{CidrIp=$4}]" ;; esac
  aws ec2 authorize-security-group-ingress --group-id "$group" \\
    --ip-permissions "IpProtocol=$1,FromPort=$2,ToPort=$3,$ranges" >/dev/null 2>"$work/error" ||
    grep -q InvalidPermission.Duplicate "$work/error" || { cat "$work/error" >&2; exit 1; }
}
${rules.join("")}
allocation=$(aws ec2 describe-addresses --filters "Name=tag:Name,Values=$NAME" --query 'Addresses[0].AllocationId' --output text)
if [ "$allocation" = None ]; then
  allocation=$(aws ec2 allocate-address --domain vpc --tag-specifications "ResourceType=elastic-ip,Tags=[{Key=Name,Value=$NAME}]" --query AllocationId --output text)
fi
address=$(aws ec2 describe-addresses --allocation-ids "$allocation" --query 'Addresses[0].PublicIp' --output text)

instance=$(aws ec2 describe-instances --filters "Name=tag:Name,Values=$NAME" Name=instance-state-name,Values=pending,running,stopping,stopped --query 'Reservations[0].Instances[0].InstanceId' --output text)
if [ "$instance" = None ]; then
  gzip -9nc "$USER_DATA" >"$work/user-data.gz"
  instance=$(aws ec2 run-instances --instance-type "$SIZE" --key-name "$KEY_NAME" \\
    --image-id ${ubuntu ? providers.aws.ubuntu : amazonLinux} \\
    --security-group-ids "$group"${dual ? ' --subnet-id "$subnet" --ipv6-address-count 1' : ""}${role ? ' --iam-instance-profile "Name=$INSTANCE_PROFILE"' : ""} \\
    --metadata-options HttpTokens=required,HttpPutResponseHopLimit=1 \\
    --block-device-mappings "DeviceName=${ubuntu ? "/dev/sda1" : "/dev/xvda"},Ebs={VolumeSize=$DISK_GB,VolumeType=gp3,Encrypted=true}" \\
    --tag-specifications "ResourceType=instance,Tags=[{Key=Name,Value=$NAME}]" \\
    --user-data "fileb://$work/user-data.gz" --query 'Instances[0].InstanceId' --output text)
fi
aws ec2 wait instance-running --instance-ids "$instance"
aws ec2 associate-address --instance-id "$instance" --allocation-id "$allocation" >/dev/null
${dual ? `address6=$(aws ec2 describe-instances --instance-ids "$instance" --query 'Reservations[0].Instances[0].Ipv6Address' --output text)\n` : ""}`;
}
