import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { bundle } from "~/deployments/bundle/bundle.ts";
import { resourceName } from "~/deployments/bundle/files/provider-rules.ts";
import { optionsFrom } from "../fixtures/bundle-cases.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Providers' command lines that say what a customer's would, on an account with nothing in it yet. */
const commandLines = {
  aws: {
    tool: "aws",
    needs: { KEY_NAME: "laptop" },
    // A network of its own has IPv6 only once its block was waited for, its subnet has a part and it has a route.
    body: `here() { if [ -e "$1" ]; then echo "$2"; else echo None; fi; }
case "$*" in
*describe-vpcs*is-default*) echo vpc-default ;;
*describe-vpcs*Ipv6CidrBlock*) here waited 2600:1f18:1:ab00::/56 ;;
*describe-vpcs*tag:Name*) here vpc vpc-own ;;
*create-vpc*amazon-provided-ipv6*) : >vpc; echo vpc-own ;;
*describe-internet-gateways*) here gateway igw-1 ;;
*create-internet-gateway*) : >gateway; echo igw-1 ;;
*attach-internet-gateway*"igw-1 --vpc-id vpc-own"*)
  [ ! -e attached ] || { echo "An error occurred (Resource.AlreadyAssociated)" >&2; exit 254; }
  : >attached ;;
*describe-route-tables*vpc-own*) echo rtb-1 ;;
*create-route*rtb-1*igw-1*)
  [ -e attached ] || { echo "An error occurred (InvalidParameterValue)" >&2; exit 254; }
  case $* in *::/0*) made=route6 ;; *) made=route4 ;; esac
  [ ! -e $made ] || { echo "An error occurred (RouteAlreadyExists)" >&2; exit 254; }
  : >$made ;;
*describe-instance-type-offerings*) echo us-east-1a ;;
*describe-subnets*vpc-own*) here subnet subnet-own ;;
*create-subnet*vpc-own*2600:1f18:1:ab00::/64*) : >subnet; echo subnet-own ;;
*describe-security-groups*) here group sg-1 ;;
*create-security-group*) : >group; echo sg-1 ;;
*authorize-security-group-ingress*)
  [ ! -e refused ] || { echo "An error occurred (UnauthorizedOperation)" >&2; exit 254; }
  ! grep -qxF -- "$*" rules 2>/dev/null || { echo "An error occurred (InvalidPermission.Duplicate)" >&2; exit 254; }
  echo "$*" >>rules ;;
*describe-addresses*--allocation-ids*) echo 203.0.113.5 ;;
*describe-addresses*) here address eipalloc-1 ;;
*allocate-address*) : >address; echo eipalloc-1 ;;
*describe-instances*Ipv6Address*) here route6 2001:db8::5 ;;
*describe-instances*) here instance i-1 ;;
*run-instances*)
  case "$*" in
  *--subnet-id*subnet-own*--ipv6-address-count*) [ -e route4 ] && [ -e route6 ] || exit 254 ;;
  *--ipv6-address-count*) echo "An error occurred (InvalidParameterValue): the subnet has no IPv6 CIDR block" >&2; exit 254 ;;
  esac
  for one; do case $one in fileb://*) cp "\${one#fileb://}" sent ;; esac; done
  : >instance
  echo i-1 ;;
*wait* | *associate-address*) ;;
"sts get-caller-identity --query Account --output text") echo 123456789012 ;;
s3*)
  [ ! -e s3-refused ] || { echo "An error occurred (AccessDenied)" >&2; exit 254; }
  case "$*" in
  *put-object*--body*) while [ "$1" != --body ]; do shift; done; cp "$2" in-bucket ;;
  "s3api head-bucket"*) [ -e bucket ] || exit 254 ;;
  "s3 mb "*) : >bucket ;;
  "s3 presign "*"/cloud-init.yaml --expires-in 3600") echo "https://bucket.example/cloud-init.yaml?a=1&b=%3D" ;;
  "s3api put-public-access-block "* | "s3api put-bucket-encryption "* | "s3api put-bucket-lifecycle-configuration "*'"Days":1'*) ;;
  *) exit 254 ;;
  esac ;;
*) echo "An error occurred: $*" >&2; exit 254 ;;
esac`,
    creates: "run-instances",
  },
  azure: {
    tool: "az",
    needs: { SSH_KEY: "key.pub" },
    body: `case "$*" in
"network nsg rule create"*) [ ! -e refused ] || exit 1 ;;
"network public-ip show"*-6*) echo 2001:db8::5 ;;
"network public-ip show"*) echo 203.0.113.5 ;;
"vm show"*) [ -e exists ] || exit 3 ;;
"vm create"*) while [ "$1" != --custom-data ]; do shift; done; cp "$2" sent ;;
esac`,
    creates: "vm create",
  },
  "digital-ocean": {
    tool: "doctl",
    needs: { SSH_KEY: "fingerprint" },
    body: `case "$*" in
"compute tag list"*) cat tags 2>/dev/null ;;
"compute tag create"*)
  ! grep -qxF -- "$4" tags 2>/dev/null || { echo "Error: 422 Tag exists already" >&2; exit 1; }
  echo "$4" >>tags ;;
"compute firewall list"*) [ ! -e exists ] || echo "f-1 livekit-livekit-example-com" ;;
"compute firewall"*) [ ! -e refused ] || exit 1 ;;
"compute droplet list"*) [ ! -e exists ] || echo 7 ;;
"compute droplet create"*)
  while [ "$1" != --user-data-file ]; do shift; done
  cp "$2" sent
  echo 7 ;;
"compute droplet get"*) echo 2001:db8::5 ;;
"compute reserved-ip list"*) [ ! -e exists ] || echo "203.0.113.5 7" ;;
"compute reserved-ip create"*) echo 203.0.113.5 ;;
esac`,
    creates: "compute droplet create",
  },
  "google-cloud": {
    tool: "gcloud",
    needs: {},
    body: `case "$*" in
*"addresses describe"*value*) echo 203.0.113.5 ;;
*ipv6AccessConfigs*) echo 2001:db8::5 ;;
*describe*) [ -e exists ] || exit 1 ;;
*"networks create"*--subnet-mode=custom*) : >network ;;
*"subnets create"*) [ -e network ] && : >subnet ;;
*"firewall-rules create"*--network=default*) ;;
*"firewall-rules create"*) [ -e network ] && [ ! -e refused ] || exit 1 ;;
*"instances create"*)
  case "$*" in *--subnet=livekit-livekit-example-com*) [ -e subnet ] || exit 1 ;; *) : >in-default-network ;; esac
  for one; do case $one in --metadata-from-file=user-data=*) cp "\${one#*user-data=}" sent ;; esac; done ;;
esac`,
    creates: "compute instances create",
  },
} as const;

function account(provider: keyof typeof commandLines, addresses = "dual", userData?: string) {
  const { tool, body, needs } = commandLines[provider];
  const folder = mkdtempDisposableSync(join(tmpdir(), "provider-"));
  const path = (name: string) => join(folder.path, name);
  const { files } = bundle(optionsFrom({ provider, domain: "livekit.example.com", addresses }));
  const given = files.map(({ path: name, content }) =>
    name === "cloud-init.yaml" ? [name, userData ?? content] : [name, content],
  );
  for (const [name = "", content = ""] of given) writeFileSync(path(name), content);
  mkdirSync(path("commands"));
  writeFileSync(
    path(`commands/${tool}`),
    `#!/bin/sh\ncd "${folder.path}"\nprintf '%s\\n' "$*" >>calls\n${body}\n`,
    { mode: 0o755 },
  );
  writeFileSync(path("commands/sleep"), `#!/bin/sh\n: >"${path("waited")}"\n`, { mode: 0o755 });
  writeFileSync(path("key.pub"), "ssh-ed25519 AAAA\n");
  return {
    run(given: Record<string, string> = needs) {
      rmSync(path("calls"), { force: true });
      const { status, stdout, stderr } = spawnSync("sh", ["./create-vm.sh"], {
        encoding: "utf8",
        cwd: folder.path,
        env: {
          ...process.env,
          PATH: `${path("commands")}:${process.env.PATH}`,
          HOME: folder.path,
          KEY_NAME: "",
          SSH_KEY: "",
          ...given,
        },
      });
      const calls = existsSync(path("calls")) ? readFileSync(path("calls"), "utf8") : "";
      return { status, said: stdout + stderr, calls };
    },
    has: (name: string) => existsSync(path(name)),
    set: (name: string) => writeFileSync(path(name), ""),
    read: (name: string) => readFileSync(path(name)),
    userData: readFileSync(path("cloud-init.yaml"), "utf8"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const providers = ["aws", "azure", "digital-ocean", "google-cloud"] as const;

const accounts = providers.flatMap((provider) => [
  { provider, addresses: "dual" },
  { provider, addresses: "ipv4" },
]);

test.each(accounts)(
  "create-vm.sh makes a machine at $provider with $addresses addresses, once, and says which records to set",
  ({ provider, addresses }) => {
    using customer = account(provider, addresses);
    const { creates } = commandLines[provider];
    const first = customer.run();
    expect(first.said).toContain("The machine runs at 203.0.113.5.");
    expect(first.said).toMatch(/^ {2}turn\.livekit\.example\.com {2}A {2}203\.0\.113\.5$/m);
    expect(first.said.includes("  livekit.example.com  AAAA  2001:db8::5\n")).toBe(
      addresses === "dual",
    );
    expect(first.status).toBe(0);
    expect(first.calls).toContain(creates);
    const sent = customer.read(customer.has("in-bucket") ? "in-bucket" : "sent");
    expect((sent[0] === 0x1f ? gunzipSync(sent) : sent).toString()).toBe(customer.userData);
    customer.set("exists");
    const second = customer.run();
    expect(second.said).toContain("203.0.113.5");
    expect([second.status, second.calls.includes(creates)]).toEqual([0, false]);
  },
);

/** User data of which gzip makes about as many bytes. */
function incompressible(bytes: number): string {
  const noise = createHash("shake256", { outputLength: bytes }).update("noise");
  return `#cloud-config\n# ${noise.digest("base64")}\n`;
}

test("what gzip brings under AWS's 16,384 bytes is sent as it is, without a bucket", () => {
  using customer = account("aws", "ipv4", incompressible(16_000));
  const { calls } = customer.run();
  const sent = customer.read("sent");
  expect(sent.length).toBeLessThanOrEqual(16_384);
  expect(gunzipSync(sent).toString()).toBe(customer.userData);
  expect(calls).not.toMatch(/^(s3|sts)/m);
});

test("larger user data reaches AWS through a private bucket of the account, once", () => {
  using customer = account("aws", "ipv4", incompressible(20_000));
  const first = customer.run();
  expect([first.status, first.said]).toEqual([
    0,
    expect.stringContaining("private bucket livekit-123456789012-us-east-1-"),
  ]);
  // Text, not gzip: cloud-init reads its own copy as text at every later boot.
  expect(customer.read("in-bucket").toString()).toBe(customer.userData);
  expect(customer.read("sent").toString()).toBe(
    "#include-once\nhttps://bucket.example/cloud-init.yaml?a=1&b=%3D\n",
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

test("a bucket that is refused is said, and no machine starts without its user data", () => {
  using customer = account("aws", "ipv4", incompressible(20_000));
  customer.set("s3-refused");
  const { status, said, calls } = customer.run();
  expect([status, said]).toEqual([254, expect.stringContaining("AccessDenied")]);
  expect(calls).not.toContain("run-instances");
});

test("no machine stands in Google's default network, which lets everybody in by SSH and RDP", () => {
  for (const addresses of ["dual", "ipv4"]) {
    using customer = account("google-cloud", addresses);
    const { status, calls } = customer.run();
    expect(status).toBe(0);
    expect(customer.has("in-default-network")).toBe(false);
    expect(calls).not.toContain("--network=default");
  }
});

test("two domains never share what create-vm.sh makes", () => {
  const long = "a".repeat(50);
  const names = [
    "a-b.example.com",
    "a.b.example.com",
    `${long}.example.com`,
    `${long}.example.org`,
  ].map((domain) => resourceName(optionsFrom({ domain })));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^livekit-[a-z0-9-]{1,42}$/);
  expect(resourceName(optionsFrom({ domain: "rtc.example.com" }))).toBe("livekit-rtc-example-com");
});

test.each(providers)(
  "create-vm.sh makes no machine at %s behind a firewall that was refused",
  (provider) => {
    using customer = account(provider);
    customer.set("refused");
    const { status, calls } = customer.run();
    expect(status).not.toBe(0);
    expect(calls).not.toContain(commandLines[provider].creates);
  },
);

test("create-vm.sh asks for what it needs before it creates anything", () => {
  for (const provider of ["aws", "azure", "digital-ocean"] as const) {
    using customer = account(provider);
    const { status, said, calls } = customer.run({});
    expect([status, calls], provider).toEqual([64, ""]);
    expect(said).toMatch(/^Set (KEY_NAME|SSH_KEY) first: /m);
  }
});
