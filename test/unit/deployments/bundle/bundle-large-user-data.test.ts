import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import {
  hasBucket,
  isCopiedBySsh,
} from "~/features/deployments/bundle/files/user-data-commands.ts";
import { providers as providerTable } from "~/features/deployments/bundle/provider-table.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import {
  incompressible,
  providerAccount,
  unpacked,
} from "../../../support/deployments/provider-account.ts";
import { providers, unknownFlags } from "../../../support/deployments/provider-command-lines.ts";
import { sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

test("user data over a provider's limit is compressed, and refused before anything is created if that is not enough", () => {
  for (const provider of sample(
    providers.filter((one) => !hasBucket(one)),
    2,
  )) {
    const limit = providerTable[provider].userDataLimit ?? 0;
    using fitting = providerAccount(provider, "ipv4", "#cloud-config\n".repeat(limit / 8));
    expect(fitting.run().status, provider).toBe(0);
    const sent = fitting.read("sent");
    expect(sent.length).toBeLessThanOrEqual(limit);
    expect(unpacked(sent)).toBe(fitting.userData);
    if (isCopiedBySsh(provider)) continue;
    using large = providerAccount(provider, "ipv4", incompressible(limit));
    const { status, output, calls } = large.run();
    expect([status, calls], provider).toEqual([65, ""]);
    expect(output).toContain("Even compressed, cloud-init.yaml is larger than");
  }
});

/** A machine behind `ssh`, which is reached at the third try: its files are in the folder `machine`. */
const overSsh = `#!/bin/sh
for command; do :; done
case $command in
true)
  echo >>tries
  [ "$(wc -l <tries)" -gt 2 ] || { echo "Connection refused" >&2; exit 255; } ;;
*)
  printf '%s\\n' "$*" >>ssh-calls
  mkdir -p machine/tmp/copied && cd machine
  root=$PWD
  cd tmp/copied && tar -xf -
  sed -i -e "s#^/opt/livekit/bin/first-boot.sh#echo >>$root/booted#" -e "s# /opt/livekit/state# $root/opt/livekit/state#" \\
    -e 's#"$path" <#"'"$root"'$path" <#' -e "s/sudo //" -e "s/^cloud-init/: &/" install.sh
  exec sh ./install.sh ;;
esac
`;

test("files that Hetzner takes in no form are copied to the new machine, and never to one that is ready", () => {
  using customer = providerAccount("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", overSsh);
  const first = customer.run();
  expect(first.status, first.output).toBe(0);
  expect(first.calls).toContain("server create");
  expect(unpacked(customer.read("sent"))).toBe("#cloud-config\n{}\n");
  expect(`${customer.read("ssh-calls")}`).toContain("root@203.0.113.5");
  for (const { path, content, installed } of customer.files) {
    if (!installed) continue;
    const copied = join(customer.folder, "machine", installed.path);
    expect(readFileSync(copied, "utf8"), path).toBe(content);
    expect((statSync(copied).mode & 0o777).toString(8).padStart(4, "0")).toBe(installed.mode);
  }
  expect(`${customer.read("machine/booted")}`).toMatch(/^docker\.io .*curl/);
  expect(customer.has("machine/tmp/copied")).toBe(false);
  customer.set("exists");
  mkdirSync(join(customer.folder, "machine/opt/livekit/state"));
  customer.set("machine/opt/livekit/state/first-boot-done");
  const second = customer.run();
  expect([second.status, second.calls.includes("server create")]).toEqual([0, false]);
  expect(second.output).toContain("The machine is ready already: nothing was copied.");
  expect(`${customer.read("machine/booted")}`.trim().split("\n")).toHaveLength(1);
});

test("a machine that SSH does not reach is said to be, with what SSH says, and it can be run again", () => {
  using customer = providerAccount("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", "#!/bin/sh\necho 'Permission denied (publickey).' >&2\nexit 255\n");
  const { status, output } = customer.run();
  expect(status).toBe(69);
  expect(output).toContain(
    "Permission denied (publickey).\nSSH does not reach the machine as root.",
  );
  expect(output).toContain("  livekit.example.com  A  203.0.113.5\n");
});

const temporary = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("tmp."));

test("create-vm.sh that is interrupted leaves nothing of its own", () => {
  using customer = providerAccount("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", "#!/bin/sh\nexit 255\n");
  customer.command("sleep", "#!/bin/sh\n: >interrupted\nkill -TERM $PPID\n");
  expect(customer.run().status).toBe(1);
  expect(customer.has("interrupted")).toBe(true);
  expect(temporary(customer.folder)).toEqual([]);
});

/** A machine on which nothing can be unpacked, whose folder for temporary files is `machine`. */
const interrupted = `#!/bin/sh
for command; do :; done
[ "$command" != true ] || exit 0
mkdir -p machine/commands
printf '#!/bin/sh\\ncat >/dev/null\\nls -d "$PWD"\\nkill -TERM "$PPID"\\nsleep 1\\n' >machine/commands/tar
chmod 755 machine/commands/tar
TMPDIR=$PWD/machine PATH=$PWD/machine/commands:$PATH sh -c "$command"
`;

test("a machine that is interrupted while it takes the files keeps no folder of them", () => {
  using customer = providerAccount("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", interrupted);
  const { status, output } = customer.run();
  expect(status, output).not.toBe(0);
  expect(output).toContain(`${customer.folder}/machine/tmp.`);
  expect(temporary(join(customer.folder, "machine"))).toEqual([]);
});

test("what gzip brings under AWS's 16,384 bytes is sent as it is, without a bucket", () => {
  using customer = providerAccount("aws", "ipv4", incompressible(16_000));
  const { calls } = customer.run();
  const sent = customer.read("sent");
  expect(sent.length).toBeLessThanOrEqual(16_384);
  expect(gunzipSync(sent).toString()).toBe(customer.userData);
  expect(calls).not.toMatch(/^(s3|sts)/m);
});

test("larger user data reaches AWS through a private bucket of the account, once", () => {
  using customer = providerAccount("aws", "ipv4", incompressible(20_000));
  const first = customer.run();
  expect([first.status, first.output]).toEqual([
    0,
    expect.stringContaining("private bucket livekit-123456789012-us-east-1-"),
  ]);
  // Text, not gzip: cloud-init reads its own copy as text at every later boot.
  expect(customer.read("in-bucket").toString()).toBe(customer.userData);
  expect(customer.read("sent").toString()).toBe(
    "#include-once\nhttps://s3.us-east-1.amazonaws.com/bucket/cloud-init.yaml?a=1&b=%3D\n",
  );
  const calls = first.calls.split("\n").filter((call) => call.startsWith("s3"));
  expect(calls.map((call) => call.split(" ").slice(0, 2).join(" "))).toEqual([
    "s3api head-bucket",
    "s3 mb",
    "s3api put-public-access-block",
    "s3api put-bucket-encryption",
    "s3api put-bucket-lifecycle-configuration",
    "s3api put-object",
    "s3 presign",
  ]);
  for (const call of calls.filter((one) => one.startsWith("s3api")))
    expect(call).toContain("--expected-bucket-owner 123456789012");
  const second = customer.run();
  expect(second.status).toBe(0);
  expect(second.calls).not.toMatch(/^(s3|sts)|run-instances/m);
});

test("the link to AWS's bucket is signed for the host of its region, which sends nobody on to another", () => {
  const region = "eu-central-1";
  using customer = providerAccount("aws", "ipv4", incompressible(20_000));
  expect(customer.run().calls).toContain(" --endpoint-url https://s3.us-east-1.amazonaws.com\n");
  const made = bundle(optionsFrom({ provider: "aws", region, domain: "livekit.example.com" }));
  expect(textOf(made, "create-vm.sh")).toContain(`\nREGION=${region}\n`);
  expect(textOf(made, "README.md")).toContain(
    `--region ${region} --endpoint-url https://s3.${region}.amazonaws.com`,
  );
});

test("a bucket that is refused is said, and no machine starts without its user data", () => {
  using customer = providerAccount("aws", "ipv4", incompressible(20_000));
  customer.set("s3-refused");
  const { status, output, calls } = customer.run();
  expect([status, output]).toEqual([254, expect.stringContaining("AccessDenied")]);
  expect(calls).not.toContain("run-instances");
});

test("larger user data reaches Oracle through a private bucket, and a refused one starts no machine", () => {
  using customer = providerAccount("oracle", "ipv4", incompressible(30_000));
  const { status, output, calls } = customer.run();
  expect([status, output]).toEqual([0, expect.stringContaining("the private bucket livekit-")]);
  expect(unknownFlags("oracle", calls)).toEqual([]);
  expect(customer.read("in-bucket").toString()).toBe(customer.userData);
  expect(customer.read("sent").toString()).toBe(
    "#include-once\nhttps://objectstorage.us-ashburn-1.oraclecloud.com/p/secret/n/space/b/bucket/o/cloud-init.yaml\n",
  );
  expect(customer.run().calls).not.toMatch(/^os |instance launch/m);
  using refused = providerAccount("oracle", "ipv4", incompressible(30_000));
  refused.set("s3-refused");
  const second = refused.run();
  expect([second.status, second.output]).toEqual([1, expect.stringContaining("AccessDenied")]);
  expect(second.calls).not.toContain("instance launch");
});
