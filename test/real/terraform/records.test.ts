import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { readHcl } from "../../support/deployments/terraform/hcl.ts";
import { providersOf } from "../../support/deployments/terraform/schema-problems.ts";
import { fakeOf, tested } from "./fakes.ts";

// What is refused, and by which words, is the same text at every provider that has zones.
test.each(["aws", "digital-ocean", "hetzner"] as const)(
  "at %s a zone that is left out or misspelt deletes no record, and the same zone changes nothing",
  async (provider) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "terraform-records-"));
    const options = { domain: "livekit.example.com", provider, addresses: "ipv4" };
    const { files } = bundle(optionsFrom(options));
    // Terraform's test deletes at its end what it made.
    for (const { path, content } of files)
      if (path.endsWith(".tf"))
        writeFileSync(join(folder.path, path), content.replaceAll("prevent_destroy = true", ""));
    writeFileSync(join(folder.path, "small.yaml"), "#cloud-config\n");
    const step = (
      name: string,
      command: string,
      zone: string,
      isRefused = false,
    ) => `run "${name}" {
  command = ${command}
  variables {
    ssh_key        = "key"
    user_data_file = "small.yaml"
    dns_zone       = "${zone}"
  }
${isRefused ? "  expect_failures = [output.dns_records]\n" : ""}}
`;
    const main = files.find(({ path }) => path === "main.tf")?.content ?? "";
    const [name] = providersOf(await readHcl(main));
    writeFileSync(
      join(folder.path, "records.tftest.hcl"),
      [
        fakeOf(provider, name),
        step("before", "apply", "example.com"),
        step("left_out", "plan", "", true),
        step("misspelt", "plan", "exmaple.com", true),
        step("again", "plan", "example.com"),
      ].join("\n"),
    );
    const { status, stdout, stderr } = tested(folder.path);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout.slice(stdout.indexOf('run "before"'))).toContain("record");
    expect(stdout.slice(stdout.indexOf('run "again"'))).toContain("No changes.");
  },
);
