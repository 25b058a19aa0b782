import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { resourceName } from "~/features/deployments/bundle/files/providers/rules.ts";
import {
  hasBucket,
  isCopiedBySsh,
} from "~/features/deployments/bundle/files/user-data-commands.ts";
import { providers as providerTable } from "~/features/deployments/bundle/provider-table.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import {
  addressesOf,
  commandLines,
  type Provider,
  providers,
  unknownFlags,
} from "../../../support/deployments/provider-command-lines.ts";

/** A customer with the files of a deployment, and with their provider's command line. */
function account(provider: Provider, addresses = addressesOf(provider)[0], userData?: string) {
  const { tool, body, needs } = commandLines[provider];
  const folder = mkdtempDisposableSync(join(tmpdir(), "provider-"));
  const path = (name: string) => join(folder.path, name);
  const { files } = bundle(optionsFrom({ provider, domain: "livekit.example.com", addresses }));
  const given = files.map(({ path: name, content }) =>
    name === "cloud-init.yaml" ? [name, userData ?? content] : [name, content],
  );
  for (const [name = "", content = ""] of given) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  }
  mkdirSync(path("commands"));
  writeFileSync(
    path(`commands/${tool}`),
    `#!/bin/sh\ncd "${folder.path}"\nprintf '%s\\n' "$(printf %s "$*" | tr '\\n' ' ')" >>calls\n${body}\n`,
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
          TMPDIR: folder.path,
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
    folder: folder.path,
    files,
    command: (name: string, body: string) =>
      writeFileSync(path(`commands/${name}`), body.replace("\n", `\ncd "${folder.path}"\n`), {
        mode: 0o755,
      }),
    has: (name: string) => existsSync(path(name)),
    set: (name: string) => writeFileSync(path(name), ""),
    read: (name: string) => readFileSync(path(name)),
    userData: readFileSync(path("cloud-init.yaml"), "utf8"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

vi.setConfig({ testTimeout: 60_000 });

const accounts = providers.flatMap((provider) =>
  addressesOf(provider).map((addresses) => ({ provider, addresses })),
);

test.each(accounts)(
  "create-vm.sh makes a machine at $provider with $addresses addresses, once, and says which records to set",
  ({ provider, addresses }) => {
    using customer = account(provider, addresses);
    const { creates } = commandLines[provider];
    const first = customer.run();
    const shown = addresses === "ipv6" ? "2001:db8::5" : "203.0.113.5";
    expect(first.said).toContain(`The machine runs at ${shown}.`);
    for (const name of ["livekit.example.com", "turn.livekit.example.com"]) {
      expect(first.said.includes(`  ${name}  A  203.0.113.5\n`)).toBe(addresses !== "ipv6");
      expect(first.said.includes(`  ${name}  AAAA  2001:db8::5\n`)).toBe(addresses !== "ipv4");
    }
    expect(first.status).toBe(0);
    expect(first.calls).toContain(creates);
    expect(unknownFlags(provider, first.calls)).toEqual([]);
    expect(unpacked(customer.read(customer.has("in-bucket") ? "in-bucket" : "sent"))).toBe(
      customer.userData,
    );
    customer.set("exists");
    const second = customer.run();
    expect(second.said).toContain(shown);
    expect([second.status, second.calls.includes(creates)]).toEqual([0, false]);
    expect(unknownFlags(provider, second.calls)).toEqual([]);
  },
);

/** What cloud-init makes of user data: a mail with gzip in base64, gzip, or the text itself. */
function unpacked(sent: Buffer): string {
  const [, mail] = /^MIME-Version: 1\.0\n[\s\S]*?\n\n([\s\S]+)/.exec(sent.toString()) ?? [];
  const bytes = mail === undefined ? sent : Buffer.from(mail, "base64");
  return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
}

test("user data over a provider's limit is compressed, and refused before anything is created if that is not enough", () => {
  for (const provider of providers.filter((one) => !hasBucket(one))) {
    const limit = providerTable[provider].userDataLimit ?? 0;
    using fitting = account(provider, "ipv4", "#cloud-config\n".repeat(limit / 8));
    expect(fitting.run().status, provider).toBe(0);
    const sent = fitting.read("sent");
    expect(sent.length).toBeLessThanOrEqual(limit);
    expect(unpacked(sent)).toBe(fitting.userData);
    if (isCopiedBySsh(provider)) continue;
    using large = account(provider, "ipv4", incompressible(limit));
    const { status, said, calls } = large.run();
    expect([status, calls], provider).toEqual([65, ""]);
    expect(said).toContain("Even compressed, cloud-init.yaml is larger than");
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
  using customer = account("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", overSsh);
  const first = customer.run();
  expect(first.status, first.said).toBe(0);
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
  expect(second.said).toContain("The machine is ready already: nothing was copied.");
  expect(`${customer.read("machine/booted")}`.trim().split("\n")).toHaveLength(1);
});

test("a machine that SSH does not reach is said to be, with what SSH says, and it can be run again", () => {
  using customer = account("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", "#!/bin/sh\necho 'Permission denied (publickey).' >&2\nexit 255\n");
  const { status, said } = customer.run();
  expect(status).toBe(69);
  expect(said).toContain("Permission denied (publickey).\nSSH does not reach the machine as root.");
  expect(said).toContain("  livekit.example.com  A  203.0.113.5\n");
});

const temporary = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("tmp."));

test("create-vm.sh that is interrupted leaves nothing of its own", () => {
  using customer = account("hetzner", "ipv4", incompressible(40_000));
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
  using customer = account("hetzner", "ipv4", incompressible(40_000));
  customer.command("ssh", interrupted);
  const { status, said } = customer.run();
  expect(status, said).not.toBe(0);
  expect(said).toContain(`${customer.folder}/machine/tmp.`);
  expect(temporary(join(customer.folder, "machine"))).toEqual([]);
});

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
  using customer = account("aws", "ipv4", incompressible(20_000));
  expect(customer.run().calls).toContain(" --endpoint-url https://s3.us-east-1.amazonaws.com\n");
  const made = bundle(optionsFrom({ provider: "aws", region, domain: "livekit.example.com" }));
  expect(textOf(made, "create-vm.sh")).toContain(`\nREGION=${region}\n`);
  expect(textOf(made, "README.md")).toContain(
    `--region ${region} --endpoint-url https://s3.${region}.amazonaws.com`,
  );
});

test("a bucket that is refused is said, and no machine starts without its user data", () => {
  using customer = account("aws", "ipv4", incompressible(20_000));
  customer.set("s3-refused");
  const { status, said, calls } = customer.run();
  expect([status, said]).toEqual([254, expect.stringContaining("AccessDenied")]);
  expect(calls).not.toContain("run-instances");
});

test("larger user data reaches Oracle through a private bucket, and a refused one starts no machine", () => {
  using customer = account("oracle", "ipv4", incompressible(30_000));
  const { status, said, calls } = customer.run();
  expect([status, said]).toEqual([0, expect.stringContaining("the private bucket livekit-")]);
  expect(unknownFlags("oracle", calls)).toEqual([]);
  expect(customer.read("in-bucket").toString()).toBe(customer.userData);
  expect(customer.read("sent").toString()).toBe(
    "#include-once\nhttps://objectstorage.us-ashburn-1.oraclecloud.com/p/secret/n/space/b/bucket/o/cloud-init.yaml\n",
  );
  expect(customer.run().calls).not.toMatch(/^os |instance launch/m);
  using refused = account("oracle", "ipv4", incompressible(30_000));
  refused.set("s3-refused");
  const second = refused.run();
  expect([second.status, second.said]).toEqual([1, expect.stringContaining("AccessDenied")]);
  expect(second.calls).not.toContain("instance launch");
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
  for (const provider of providers.filter((one) => one !== "google-cloud")) {
    using customer = account(provider);
    const { status, said, calls } = customer.run({});
    expect([status, calls], provider).toEqual([64, ""]);
    expect(said).toMatch(/^Set (KEY_NAME|SSH_KEY|COMPARTMENT) first: /m);
  }
});
