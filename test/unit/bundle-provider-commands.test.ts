import { spawnSync } from "node:child_process";
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
import { optionsFrom } from "../fixtures/bundle-cases.ts";

vi.setConfig({ testTimeout: 60_000 });

/** Providers' command lines that say what a customer's would, on an account with nothing in it yet. */
const commandLines = {
  aws: {
    tool: "aws",
    needs: { KEY_NAME: "laptop" },
    body: `case "$*" in
*describe-vpcs*) echo vpc-1 ;;
*describe-security-groups*) [ -e exists ] && echo sg-1 || echo None ;;
*create-security-group*) echo sg-1 ;;
*authorize-security-group-ingress*)
  [ ! -e exists ] || { echo "An error occurred (InvalidPermission.Duplicate)" >&2; exit 254; }
  [ ! -e refused ] || { echo "An error occurred (UnauthorizedOperation)" >&2; exit 254; } ;;
*describe-addresses*--allocation-ids*) echo 203.0.113.5 ;;
*describe-addresses*) [ -e exists ] && echo eipalloc-1 || echo None ;;
*allocate-address*) echo eipalloc-1 ;;
*describe-instances*Ipv6Address*) echo 2001:db8::5 ;;
*describe-instances*) [ -e exists ] && echo i-1 || echo None ;;
*run-instances*)
  for one; do case $one in fileb://*) cp "\${one#fileb://}" sent ;; esac; done
  echo i-1 ;;
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
*"firewall-rules create"*) [ ! -e refused ] || exit 1 ;;
*"instances create"*)
  for one; do case $one in --metadata-from-file=user-data=*) cp "\${one#*user-data=}" sent ;; esac; done ;;
esac`,
    creates: "compute instances create",
  },
} as const;

function account(provider: keyof typeof commandLines) {
  const { tool, body, needs } = commandLines[provider];
  const folder = mkdtempDisposableSync(join(tmpdir(), "provider-"));
  const path = (name: string) => join(folder.path, name);
  const { files } = bundle(
    optionsFrom({ provider, domain: "livekit.example.com", addresses: "dual" }),
  );
  for (const { path: name, content } of files) writeFileSync(path(name), content);
  mkdirSync(path("commands"));
  writeFileSync(
    path(`commands/${tool}`),
    `#!/bin/sh\ncd "${folder.path}"\nprintf '%s\\n' "$*" >>calls\n${body}\n`,
    { mode: 0o755 },
  );
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
    set: (name: string) => writeFileSync(path(name), ""),
    sent: () => readFileSync(path("sent")),
    userData: files.find(({ path: name }) => name === "cloud-init.yaml")?.content,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const providers = ["aws", "azure", "digital-ocean", "google-cloud"] as const;

test.each(providers)(
  "create-vm.sh makes a machine at %s, once, and says which records to set",
  (provider) => {
    using customer = account(provider);
    const { creates } = commandLines[provider];
    const first = customer.run();
    expect(first.said).toContain("The machine runs at 203.0.113.5.");
    expect(first.said).toMatch(/^ {2}turn\.livekit\.example\.com {2}A {2}203\.0\.113\.5$/m);
    expect(first.said).toMatch(/^ {2}livekit\.example\.com {2}AAAA {2}2001:db8::5$/m);
    expect(first.status).toBe(0);
    expect(first.calls).toContain(creates);
    const sent = customer.sent();
    expect((provider === "aws" ? gunzipSync(sent) : sent).toString()).toBe(customer.userData);
    customer.set("exists");
    const second = customer.run();
    expect([second.status, second.calls.includes(creates)]).toEqual([0, false]);
    expect(second.said).toContain("203.0.113.5");
  },
);

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
