import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findTerraform, sources } from "../../../real/terraform/requirements.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { providers } from "../../../support/deployments/provider-command-lines.ts";
import {
  connection,
  machinesCases,
  terraformCases,
} from "../../../support/deployments/terraform/cases.ts";
import { blocksOf, formatted, isMap, readHcl } from "../../../support/deployments/terraform/hcl.ts";

const cases = [...terraformCases(), ...machinesCases()];

const providersIn = async (text: string) =>
  Object.assign(
    {},
    ...blocksOf((await readHcl(text)).terraform).flatMap(({ required_providers }) =>
      blocksOf(required_providers),
    ),
  );

test("the proof brings the programs that bundles ask for, by the same constraints", async () => {
  const required = await Promise.all(
    providers.map((provider) =>
      providersIn(textOf(bundle(optionsFrom({ domain: "example.com", provider })), "main.tf")),
    ),
  );
  const proven = await providersIn(readFileSync("test/real/terraform/providers.tf", "utf8"));
  expect(Object.assign({}, ...required)).toEqual(proven);
  expect([...sources.keys()].sort()).toEqual(Object.keys(proven).sort());
});

test("the proof says which programs are missing, and how to get them", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "terraform-"));
  const program = join(folder.path, "terraform");
  writeFileSync(program, "#!/bin/sh\necho Terraform v1.11.4\n", { mode: 0o755 });
  const find = (environment: Record<string, string>) => () =>
    findTerraform({ ...process.env, TERRAFORM: program, TERRAFORM_PROVIDERS: "", ...environment });
  expect(find({ TERRAFORM: join(folder.path, "none") })).toThrow("is no Terraform. Install");
  expect(find({})).toThrow("TERRAFORM_PROVIDERS names no folder");
  for (const source of [...sources.values()].slice(1))
    mkdirSync(join(folder.path, "registry.terraform.io", source), { recursive: true });
  expect(find({ TERRAFORM_PROVIDERS: folder.path })).toThrow(
    /is no program of hashicorp\/aws\. .*\n.*\n.*providers mirror/,
  );
  mkdirSync(join(folder.path, "registry.terraform.io/hashicorp/aws"));
  expect(find({ TERRAFORM_PROVIDERS: folder.path })).not.toThrow();
});

test("the README says what stands in the state, what another size asks for, and what never happens", () => {
  const readme = (provider: string, typed: object = {}, connected = false) =>
    textOf(
      bundle(
        optionsFrom({ domain: "livekit.example.com", provider, ...typed }),
        undefined,
        connected ? connection : undefined,
      ),
      "README.md",
    ).replaceAll(/\s+/g, " ");
  expect(readme("hetzner")).toContain("**The state** holds a hash of the user data.");
  expect(readme("hetzner")).toContain('write `user_data_file = "user-data.py"` into');
  expect(readme("hetzner", {}, true)).not.toContain("write `user_data_file");
  expect(readme("aws", {}, true)).toContain("it ends 72 hours after the download");
  expect(readme("aws", { secrets: "browser" })).toContain("with every secret of the deployment");
  expect(readme("vultr")).toContain("which holds no secret; and root's first password");
  expect(readme("linode")).toContain("`sudo livekit-deploy drain` waits until nobody is in a call");
  expect(readme("linode")).toContain("never replaces the machine or its address");
  expect(readme("other")).not.toContain("terraform");
});

test("the README's terraform.tfvars has each variable without a default, so that a later apply is right as it is written", async () => {
  for (const { provider, name, files } of cases) {
    const label = `${provider}, ${name}`;
    const textIn = (path: string) => files.find((each) => each.path === path)?.content ?? "";
    const { variable } = await readHcl(textIn("variables.tf"));
    const required = Object.entries(isMap(variable) ? variable : {}).flatMap(([each, content]) =>
      blocksOf(content).some((of) => of.default === undefined) ? [each] : [],
    );
    const readme = textIn("README.md");
    const [, block = ""] = /^ {3}```hcl\n([^`]+) {3}```$/m.exec(readme) ?? [];
    const values = block.replaceAll(/^ {3}/gm, "");
    expect(await formatted(values), label).toBe(values);
    expect(Object.keys(await readHcl(values)).sort(), label).toEqual(required.sort());
    // Without them records would be deleted, and a Redis made that costs.
    expect(required.includes("dns_zone"), label).toBe(provider !== "ovh");
    expect(required.includes("redis"), label).toBe(readme.includes("**Redis comes first.**"));
    for (const command of readme.match(/terraform apply -[^`]*/g) ?? [])
      expect(command, label).toBe("terraform apply -var machines=false");
  }
});

test("a zone in which no record is, as one that was left out or misspelt, is refused", async () => {
  for (const { provider, name, files } of cases) {
    const outputs = files.find(({ path }) => path === "outputs.tf")?.content ?? "";
    const { output } = await readHcl(outputs);
    const [{ precondition } = {}] = blocksOf(isMap(output) ? output.dns_records : undefined);
    expect(blocksOf(precondition)[0]?.condition, `${provider}, ${name}`).toBe(
      provider === "ovh"
        ? undefined
        : `\${var.dns_zone == "none" || length(local.records_in_zone) > 0}`,
    );
  }
});

test("the README of a cluster gives another size to one machine after the other", () => {
  const readme = (typed: object) =>
    textOf(bundle(optionsFrom({ domain: "livekit.example.com", ...typed })), "README.md");
  const aws = { provider: "aws", size: "large", topology: { kind: "cluster" } };
  const words = readme(aws).replaceAll(/\s+/g, " ");
  expect(words).toContain("`ssh MACHINE sudo systemctl stop livekit.service` waits for its calls");
  expect(words).toContain("give it the type c7i.2xlarge and a disk of 40 GB, and start it");
  expect(words).not.toContain("with a stop of each machine, its size");
  expect(readme({ provider: "aws" })).not.toContain("systemctl stop livekit.service` waits");
});

test("the README of a cluster says what its private network asks for, and what goes with a machine that is deleted", () => {
  const readme = (provider: string) =>
    textOf(
      bundle(
        optionsFrom({
          ...{ domain: "livekit.example.com", provider },
          topology: { kind: "cluster" },
        }),
      ),
      "README.md",
    ).replaceAll(/\s+/g, " ");
  expect(readme("ovh")).toContain("The project must be in a vRack");
  expect(readme("ovh")).toContain("Then delete it at OVHcloud, and `terraform apply` forgets it.");
  expect(readme("linode")).toContain("The region must have VPCs");
  expect(readme("vultr")).not.toMatch(/vRack|VPC/);
  expect(readme("vultr")).toContain("delete it and its address at Vultr, and `terraform apply` f");
  expect(readme("azure")).toContain("delete it with its disk, its interface and its address at");
  expect(readme("google-cloud")).toContain("such as `ubuntu@203.0.113.2`");
});
