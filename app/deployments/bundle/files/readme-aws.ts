import type { DeploymentOptions } from "../options.ts";
import { providers } from "../providers.ts";
import { awsBucket } from "./provider-aws.ts";

/** How user data over AWS's limit reaches the machine, with create-vm.sh and without it, and what stays of that. */
export function awsUserDataSection(options: DeploymentOptions): string {
  const region = providers.aws.regions[options.region];
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
- Without \`create-vm.sh\` (AWS's console, Terraform): up to the limit, give what
  \`gzip -9nc cloud-init.yaml | base64\` prints, as already base64 encoded. Over it, put \`cloud-init.yaml\` as it is,
  not compressed, into a private bucket. As user data give two lines: \`#include-once\`, and what
  \`aws s3 presign s3://BUCKET/cloud-init.yaml --expires-in 3600\` prints. Start the machine within that hour.
`;
}
