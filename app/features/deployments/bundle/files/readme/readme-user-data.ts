import { regionOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { awsBucket } from "../providers/aws.ts";
import { oracleBucket } from "../providers/oracle.ts";

/** How user data over the limit reaches the machine, with create-vm.sh and without it, and what stays of that. */
function awsSection(options: DeploymentOptions): string {
  const region = regionOf(options);
  const account = "$(aws sts get-caller-identity --query Account --output text)";
  return `## User data at AWS

AWS takes 16,384 bytes of user data. When \`gzip -9nc cloud-init.yaml | wc -c\` prints more, \`create-vm.sh\` puts
the file into a private bucket of your account, and gives the machine a link to it that works for an hour, or
until your login ends if that is sooner. The machine reads it once, within its first minutes. The bucket blocks
public access, encrypts, and deletes the file after a day.

- Your login needs \`s3:CreateBucket\`, \`s3:ListBucket\`, \`s3:PutBucketPublicAccessBlock\`,
  \`s3:PutEncryptionConfiguration\`, \`s3:PutLifecycleConfiguration\`, \`s3:PutObject\` and \`s3:GetObject\` on
  \`arn:aws:s3:::livekit-*\`.
- The empty bucket stays and costs nothing. Delete it once the machine runs:
  \`aws s3 rb --force "s3://${awsBucket(options, account, region)}"\`
- Without \`create-vm.sh\` (AWS's console): up to the limit, give what
  \`gzip -9nc cloud-init.yaml | base64\` prints, as already base64 encoded. Over it, put \`cloud-init.yaml\` as it is,
  not compressed, into a private bucket. As user data give two lines: \`#include-once\`, and what
  \`aws s3 presign s3://BUCKET/cloud-init.yaml --expires-in 3600 --region ${region} --endpoint-url https://s3.${region}.amazonaws.com\`
  prints, for a bucket in ${region}. Start the machine within that hour.
`;
}

function oracleSection(options: DeploymentOptions): string {
  const bucket = oracleBucket(options);
  return `## User data at Oracle

Oracle takes 32,000 bytes of metadata, which is 22,500 of user data. When \`gzip -9nc cloud-init.yaml | wc -c\` prints
more, \`create-vm.sh\` puts the file into the private bucket \`${bucket}\` of your compartment, and gives the machine a
link to it that works for an hour. The machine reads it once, within its first minutes.

- Your login needs to manage the network, instances and public addresses of the compartment, and for larger user
  data its buckets, objects and pre-authenticated requests.
- Delete the bucket once the machine runs: \`oci os preauth-request list --bucket-name ${bucket}\` names the link,
  \`oci os preauth-request delete\` ends it. Then \`oci os object delete --bucket-name ${bucket} --name cloud-init.yaml\`
  and \`oci os bucket delete --bucket-name ${bucket}\`.
- Without \`create-vm.sh\` (Oracle's console): up to the limit, give what
  \`gzip -9nc cloud-init.yaml | base64\` prints as \`user_data\`. Over it, put \`cloud-init.yaml\` as it is, not
  compressed, into a private bucket, and give two lines: \`#include-once\`, and the link of a pre-authenticated request.
`;
}

/** For the providers whose limit is small, what becomes of user data over it. */
export function userDataSection(options: DeploymentOptions): string {
  const { provider } = options;
  return provider === "aws"
    ? awsSection(options)
    : provider === "oracle"
      ? oracleSection(options)
      : "";
}
