import { usesInstanceRole } from "../derived-options.ts";
import type { DeploymentOptions } from "../options.ts";
import { providers } from "../providers.ts";
import { providerRulesOf } from "./provider-rules.ts";

const amazonLinux =
  "resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64";

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

vpc=$(aws ec2 describe-vpcs --filters Name=is-default,Values=true --query 'Vpcs[0].VpcId' --output text)
group=$(aws ec2 describe-security-groups --filters "Name=group-name,Values=$NAME" "Name=vpc-id,Values=$vpc" --query 'SecurityGroups[0].GroupId' --output text)
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
    --security-group-ids "$group"${dual ? " --ipv6-address-count 1" : ""}${role ? ' --iam-instance-profile "Name=$INSTANCE_PROFILE"' : ""} \\
    --metadata-options HttpTokens=required,HttpPutResponseHopLimit=1 \\
    --block-device-mappings "DeviceName=${ubuntu ? "/dev/sda1" : "/dev/xvda"},Ebs={VolumeSize=$DISK_GB,VolumeType=gp3,Encrypted=true}" \\
    --tag-specifications "ResourceType=instance,Tags=[{Key=Name,Value=$NAME}]" \\
    --user-data "fileb://$work/user-data.gz" --query 'Instances[0].InstanceId' --output text)
fi
aws ec2 wait instance-running --instance-ids "$instance"
aws ec2 associate-address --instance-id "$instance" --allocation-id "$allocation" >/dev/null
${dual ? `address6=$(aws ec2 describe-instances --instance-ids "$instance" --query 'Reservations[0].Instances[0].Ipv6Address' --output text)\n` : ""}`;
}
