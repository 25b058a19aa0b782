import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";
import { output } from "./program.ts";

export type TerraformRequirements = {
  /** Terraform or OpenTofu. */
  program: string;
  /** The folder with the programs of the providers, as `terraform providers mirror` writes it. */
  providers: string;
};

/** Every provider that bundles ask for, such as `hetznercloud/hcloud`, by what main.tf calls it. */
export const sources: ReadonlyMap<string, string> = new Map(
  [
    ...readFileSync(new URL("providers.tf", import.meta.url), "utf8").matchAll(
      /^ {4}(\w+) = \{\n {6}source {2}= "([^"]+)"/gm,
    ),
  ].map(([, name = "", source = ""]) => [name, source]),
);

/** What the environment names, whether it is there or not. */
export function namedTerraform(environment = process.env): TerraformRequirements {
  const { TERRAFORM, TERRAFORM_PROVIDERS } = environment;
  return { program: TERRAFORM || "terraform", providers: TERRAFORM_PROVIDERS ?? "" };
}

/** Looks for everything that the proof needs. Throws sentences that say what is missing and how to get it. */
export function findTerraform(environment = process.env): void {
  const { program, providers } = namedTerraform(environment);
  const version = output(program, ["version"]);
  if (!/^(Terraform|OpenTofu) v/.test(version))
    throw new PlainFailure(
      `${program} is no Terraform. Install Terraform 1.7 or later, or OpenTofu 1.8, and name another program than \`terraform\`:\n  export TERRAFORM=/usr/local/bin/tofu`,
    );
  const host = version.startsWith("OpenTofu") ? "registry.opentofu.org" : "registry.terraform.io";
  const missing = [...sources.values()].filter(
    (source) => providers === "" || !existsSync(join(providers, host, source)),
  );
  if (missing.length > 0)
    throw new PlainFailure(
      `${
        providers === ""
          ? "TERRAFORM_PROVIDERS names no folder with the programs of the providers."
          : `In ${providers}/${host}, which TERRAFORM_PROVIDERS names, is no program of ${missing.join(", ")}.`
      } All of them take 2 GB, and come from Terraform's registry:\n  export TERRAFORM_PROVIDERS=$HOME/terraform-providers\n  (cd test/real/terraform && ${program} providers mirror "$TERRAFORM_PROVIDERS")`,
    );
}
