import { contentHash } from "../../content-hash.ts";
import { backsUpByRole, machineOf, usesInstanceRole } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providers } from "../../provider-table.ts";
import type { Commands } from "./rules.ts";
import { providerRulesOf } from "./rules.ts";

export const amazonLinux =
  "resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64";

/** The bucket for user data of this deployment. `account` and `region` may be variables of the shell. */
export function awsBucket({ domain }: DeploymentOptions, account: string, region: string): string {
  return `livekit-${account}-${region}-${contentHash(domain).slice(0, 8)}`;
}

/** The machine gives metadata only for a token and not to containers behind a bridge. Its disk is encrypted. */
export function awsCommands(options: DeploymentOptions): Commands {
  const ubuntu = options.system === "ubuntu-24.04";
  const dual = options.addresses === "dual";
  const role = usesInstanceRole(options) || backsUpByRole(options);
  const rules = providerRulesOf(options).flatMap(({ protocol, first, last, sources }) =>
    sources.map((source) => `allow ${protocol} ${first} ${last} ${source}\n`),
  );
  return {
    source: "create-vm/aws.sh",
    values: {
      ROLE: role,
      IPV4_ONLY: !dual,
      RULES: rules.join(""),
      LIMIT: String(providers.aws.userDataLimit),
      BUCKET: awsBucket(options, "$account", "$REGION"),
      IMAGE: ubuntu ? machineOf(options).ubuntu : amazonLinux,
      IPV6_FLAGS: dual
        ? ' --subnet-id "$subnet" --ipv6-address-count 1 --associate-public-ip-address'
        : "",
      ROLE_FLAGS: role ? ' --iam-instance-profile "Name=$INSTANCE_PROFILE"' : "",
      DISK_NAME: ubuntu ? "/dev/sda1" : "/dev/xvda",
    },
  };
}
