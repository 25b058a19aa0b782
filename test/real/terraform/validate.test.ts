import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import * as z from "zod";
import {
  machinesCases,
  type TerraformCase,
  terraformCases,
} from "../../support/deployments/terraform/cases.ts";
import { declared, readHcl } from "../../support/deployments/terraform/hcl.ts";
import { providerSchemas } from "../../support/deployments/terraform/provider-schemas.ts";
import { providersOf } from "../../support/deployments/terraform/schema-problems.ts";
import { cutSchema, printedSchemas } from "./cut-schema.ts";
import { run } from "./program.ts";
import { namedTerraform, sources } from "./requirements.ts";

const { program, providers } = namedTerraform();
const scratch = mkdtempDisposableSync(join(tmpdir(), "terraform-"));
afterAll(() => scratch[Symbol.dispose]());

const cases = [...terraformCases(), ...machinesCases()];
const names = [...new Set(cases.map(({ provider }) => provider))];

/** A folder for each provider, in which its program is found once. */
const folderOf = (provider: string) => join(scratch.path, provider);

function write({ provider, files }: TerraformCase): void {
  mkdirSync(folderOf(provider), { recursive: true });
  for (const { path, content } of files) writeFileSync(join(folderOf(provider), path), content);
}

function init(provider: string): void {
  const words = ["init", "-backend=false", "-input=false", "-no-color", `-plugin-dir=${providers}`];
  const { status, stdout, stderr } = run(program, folderOf(provider), words);
  expect(status, stdout + stderr).toBe(0);
}

const verdict = z.object({
  valid: z.boolean(),
  diagnostics: z.array(z.object({ summary: z.string(), detail: z.string().optional() })),
});

const validate = (provider: string) =>
  verdict.parse(JSON.parse(run(program, folderOf(provider), ["validate", "-json"]).stdout));

test.each(names)(
  "Terraform takes every form of main.tf at %s, without a warning, as `terraform fmt` writes it",
  (provider) => {
    for (const [at, one] of cases.filter((each) => each.provider === provider).entries()) {
      write(one);
      if (at === 0) init(provider);
      const format = run(program, folderOf(provider), ["fmt", "-check", "-diff", "-no-color"]);
      expect(format.stdout + format.stderr, one.name).toBe("");
      expect(validate(provider), one.name).toMatchObject({ valid: true, diagnostics: [] });
    }
  },
);

test.each(names)("what the program of %s takes is what the tests know of it", async (provider) => {
  const some = cases.filter((each) => each.provider === provider);
  for (const one of some.slice(0, 1)) write(one);
  init(provider);
  const printed = printedSchemas.parse(
    JSON.parse(run(program, folderOf(provider), ["providers", "schema", "-json"]).stdout),
  ).provider_schemas;
  const versions = z
    .object({ provider_selections: z.record(z.string(), z.string()) })
    .parse(JSON.parse(run(program, folderOf(provider), ["version", "-json"]).stdout));
  const files = await Promise.all(
    some.map(({ files: all }) =>
      readHcl(all.find(({ path }) => path === "main.tf")?.content ?? ""),
    ),
  );
  const typesOf = (kind: "resource" | "data") => [
    ...new Set(files.flatMap((file) => declared(file, kind).map(({ type }) => type))),
  ];
  for (const name of new Set(files.flatMap(providersOf))) {
    const source = sources.get(name) ?? "";
    const [address = "", all] =
      Object.entries(printed).find(([key]) => key.endsWith(`/${source}`)) ?? [];
    if (!all) throw new Error(`There is no schema of ${source}`);
    const now = {
      source,
      version: versions.provider_selections[address] ?? "",
      ...cutSchema(all, { resources: typesOf("resource"), data: typesOf("data") }),
    };
    const { date, ...before } = providerSchemas[name] ?? { date: "" };
    const same = JSON.stringify(before) === JSON.stringify(now);
    const { source: of, version, ...rest } = now;
    const today = new Date().toISOString().slice(0, 10);
    await expect(
      `${JSON.stringify({ source: of, version, date: same ? date : today, ...rest }, null, 2)}\n`,
    ).toMatchFileSnapshot(`../../support/deployments/terraform/schemas/${name}.json`);
  }
});

test("a misspelt argument, a missing one and an unknown resource are refused", () => {
  const [one] = cases.filter(({ provider }) => provider === "hetzner");
  if (!one) throw new Error("There is no case");
  const main = one.files.find(({ path }) => path === "main.tf")?.content ?? "";
  for (const [from, to] of [
    ["server_type ", "server_tipe "],
    ["  server_type  =", "# server_type  ="],
    ['"hcloud_firewall" "livekit"', '"hcloud_firewal" "livekit"'],
  ] as const) {
    expect(main).toContain(from);
    const spoiled = main.replace(from, to);
    const isMain = (path: string) => path === "main.tf";
    write({
      ...one,
      files: one.files.map((file) => (isMain(file.path) ? { ...file, content: spoiled } : file)),
    });
    init("hetzner");
    expect(validate("hetzner").valid, to).toBe(false);
  }
});

test("user data that is too large for Hetzner is packed into what unpacks to the same file", () => {
  const one = cases.find(({ provider, name }) => provider === "hetzner" && name === "dual");
  if (!one) throw new Error("There is no case");
  write(one);
  init("hetzner");
  const { stdout, stderr } = run(
    program,
    folderOf("hetzner"),
    ["console", "-no-color", "-var=ssh_key=laptop"],
    { input: "jsonencode(nonsensitive(local.user_data))\n" },
  );
  const packed: unknown = JSON.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
  const [head, body = ""] = String(packed).split("\n\n");
  expect(head, stderr).toContain("Content-Type: application/gzip");
  expect(gunzipSync(Buffer.from(body, "base64")).toString()).toBe(
    readFileSync(join(folderOf("hetzner"), "cloud-init.yaml"), "utf8"),
  );
});

test("a plan at Hetzner lists what is made, warns of what is too large, and never shows the user data", () => {
  const planOf = (name: string) => {
    const one = cases.find((each) => each.provider === "hetzner" && each.name === name);
    if (!one) throw new Error("There is no case");
    write(one);
    init("hetzner");
    // No provider is asked: nothing answers at that port.
    const login = { HCLOUD_TOKEN: "a".repeat(64), HCLOUD_ENDPOINT: "http://127.0.0.1:9" };
    const words = ["plan", "-no-color", "-input=false", "-var=ssh_key=laptop"];
    return run(program, folderOf("hetzner"), [...words, "-var=dns_zone=example.com"], { login });
  };
  const { status, stdout } = planOf("dual");
  expect(status, stdout).toBe(0);
  expect(stdout).toContain("Plan: 8 to add, 0 to change, 0 to destroy.");
  expect(stdout).toMatch(/user_data += \(sensitive value\)/);
  expect(stdout).toContain('hcloud_zone_rrset.livekit["A turn.livekit.example.com"]');
  expect(stdout).not.toMatch(/write_files|Content-Transfer-Encoding/);
  expect(stdout).toContain("This user data is larger than the 32768 bytes");
  const connected = planOf("connected");
  expect(connected.status, connected.stdout).toBe(0);
  expect(connected.stdout).not.toMatch(/larger than|lkd_e_/);
});
