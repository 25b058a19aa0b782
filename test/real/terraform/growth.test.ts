import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { type Provider, providers } from "../../support/deployments/provider-command-lines.ts";
import { balanced, balancedAt } from "../../support/deployments/terraform/cases.ts";
import { localsOf, readHcl } from "../../support/deployments/terraform/hcl.ts";
import { providersOf } from "../../support/deployments/terraform/schema-problems.ts";
import { fakeOf, tested } from "./fakes.ts";

const scratch = mkdtempDisposableSync(join(tmpdir(), "terraform-growth-"));
afterAll(() => scratch[Symbol.dispose]());

/** How many resources a machine is, with its address and what ties both together. */
const resources: Record<Provider, number> = {
  ...{ hetzner: 2, "digital-ocean": 1, vultr: 2, ovh: 1, linode: 1 },
  ...{ aws: 3, "google-cloud": 2, azure: 4, oracle: 2 },
};

/** A key in the form of SSH, which some programs look at: two texts with their lengths before them. */
function publicKey(byte: number): string {
  const parts = [Buffer.from("ssh-ed25519"), Buffer.alloc(32, byte)];
  const bytes = parts.flatMap((part) => [Buffer.from([0, 0, 0, part.length]), part]);
  return `ssh-ed25519 ${Buffer.concat(bytes).toString("base64")}\n`;
}

type Form = { provider: Provider; kind: "cluster" | "balanced" };

/** At AWS and Hetzner a list says which machines are behind the balancer; Digital Ocean's finds them by a tag. */
const behindBalancer: Partial<Record<Provider, number>> = { aws: 1, hetzner: 1 };

const forms: Form[] = [
  ...providers.map((provider) => ({ provider, kind: "cluster" as const })),
  ...balancedAt.map((provider) => ({ provider, kind: "balanced" as const })),
];

const filesWith = ({ provider, kind }: Form, machines: number, size = "medium"): BundleFile[] =>
  bundle(
    optionsFrom({
      ...(kind === "balanced" ? balanced : {}),
      ...{ domain: "livekit.example.com", provider, addresses: "ipv4", size },
      topology: { kind, machines },
    }),
  ).files;

const mainOf = (files: readonly BundleFile[]) =>
  readHcl(files.find(({ path }) => path === "main.tf")?.content ?? "");

test.each(forms)(
  "at $provider, $kind, another machine is one more, and with it another size, new user data, another key and a password that is not said again change none of what there is",
  async (form) => {
    const { provider, kind } = form;
    const folder = join(scratch.path, `${provider}-${kind}`);
    mkdirSync(folder, { recursive: true });
    const files = filesWith(form, 3);
    // What would be replaced is to be seen in the plan, and not refused.
    for (const { path, content } of files)
      if (path.endsWith(".tf"))
        writeFileSync(join(folder, path), content.replaceAll("prevent_destroy = true", ""));
    writeFileSync(join(folder, "old.yaml"), "#cloud-config\n# old\n");
    writeFileSync(join(folder, "new.yaml"), "#cloud-config\n# new\n");
    writeFileSync(join(folder, "old.pub"), publicKey(1));
    writeFileSync(join(folder, "new.pub"), publicKey(2));
    writeFileSync(join(folder, "listed.tf"), 'variable "listed" {\n  type = any\n}\n');
    writeFileSync(join(folder, "machines_override.tf"), "locals {\n  machines = var.listed\n}\n");
    const variables = files.find(({ path }) => path === "variables.tf")?.content ?? "";
    const values: [name: string, before: string, after: string | null][] = [
      ["ssh_key", "old", "new"],
      ["ssh_key_file", "old.pub", "new.pub"],
      ["compartment_id", "compartment", "compartment"],
      ["user_data_file", "old.yaml", "new.yaml"],
      ["dns_zone", "none", "none"],
      ["redis", "true", "true"],
      ["redis_password", "0123456789abcdef", null],
    ];
    const step = async (name: string, command: string, of: BundleFile[], at: 1 | 2) =>
      `run "${name}" {\n  command = ${command}\n  variables {\n${[
        `    listed = ${JSON.stringify(localsOf(await mainOf(of)).machines)}`,
        ...values
          .filter(([each]) => variables.includes(`variable "${each}"`))
          .map((each) => `    ${each[0]} = ${JSON.stringify(each[at])}`),
      ].join("\n")}\n  }\n}\n`;
    const [name] = providersOf(await mainOf(files));
    writeFileSync(
      join(folder, "growth.tftest.hcl"),
      [
        fakeOf(provider, name),
        await step("before", "apply", files, 1),
        await step("after", "plan", filesWith(form, 4, "large"), 2),
      ].join("\n"),
    );
    const { status, stdout, stderr } = tested(folder);
    expect(status, stdout + stderr).toBe(0);
    const added = resources[provider] + (kind === "balanced" ? (behindBalancer[provider] ?? 0) : 0);
    expect(stdout.slice(stdout.indexOf('run "after"'))).toContain(
      `Plan: ${added} to add, 0 to change, 0 to destroy.`,
    );
  },
);
