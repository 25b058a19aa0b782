import { expect, test, vi } from "vitest";
import type { Bundle, BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { terraform } from "~/features/deployments/bundle/files/terraform/terraform.ts";
import { machineOf, regionOf } from "~/features/deployments/bundle/options/derived-options.ts";
import { bundle, scriptTexts } from "../../../support/deployments/bundle.ts";
import { optionsFrom, pairwiseOptions } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { providers } from "../../../support/deployments/provider-command-lines.ts";
import { connection, terraformCases } from "../../../support/deployments/terraform/cases.ts";
import {
  blocksOf,
  declared,
  formatted,
  type HclMap,
  isMap,
  localsOf,
  readHcl,
} from "../../../support/deployments/terraform/hcl.ts";
import { openedBy } from "../../../support/deployments/terraform/opened.ts";
import { schemaProblems } from "../../../support/deployments/terraform/schema-problems.ts";
import { amount, sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 120_000 });

const cases = terraformCases();
const usual = { domain: "livekit.example.com" };
const isHcl = ({ path }: BundleFile) => path.endsWith(".tf");
const mainOf = (files: readonly BundleFile[]) =>
  readHcl(files.find(({ path }) => path === "main.tf")?.content ?? "");

test("every form of main.tf is written as `terraform fmt` writes it, and says only what its provider takes", async () => {
  for (const { provider, name, files } of cases) {
    for (const { path, content } of files.filter(isHcl)) {
      expect(await formatted(content), `${provider}, ${name}: ${path}`).toBe(content);
      await readHcl(content);
    }
    expect(schemaProblems(await mainOf(files)), `${provider}, ${name}`).toEqual([]);
  }
});

test("so does every pair of answers", async () => {
  const combinations = pairwiseOptions(amount({ inTest: 100, inProof: 200 }));
  const mains = new Set(
    combinations.flatMap((options) =>
      terraform(options, scriptTexts, []).flatMap(({ path, content }) =>
        path === "main.tf" ? [content] : [],
      ),
    ),
  );
  expect(mains.size).toBeGreaterThan(50);
  for (const main of sample([...mains], 20)) {
    expect(await formatted(main)).toBe(main);
    expect(schemaProblems(await readHcl(main))).toEqual([]);
  }
});

test("what a main.tf names is in one of its three files, and nothing is there that it does not name", async () => {
  for (const { provider, name, files } of cases) {
    const texts = files.filter(isHcl).map(({ content }) => content);
    const all = texts.join("\n");
    const variables = [...all.matchAll(/^variable "(\w+)"/gm)].map(([, each]) => each);
    const used = [...all.matchAll(/\bvar\.(\w+)/g)].map(([, each]) => each);
    expect(new Set(used), `${provider}, ${name}`).toEqual(new Set(variables));
    const locals = Object.keys(localsOf(await mainOf(files)));
    const named = [...all.matchAll(/\blocal\.(\w+)/g)].map(([, each]) => each);
    for (const each of named) expect(locals, `${provider}, ${name}`).toContain(each);
  }
});

/** The text of a usual main.tf with something else in the place of something in it. */
async function spoiled(provider: string, from: string, to: string): Promise<string[]> {
  const text = textOf(bundle(optionsFrom({ ...usual, provider })), "main.tf");
  expect(text).toContain(from);
  return schemaProblems(await readHcl(text.replace(from, to)));
}

test("a misspelt argument, block or resource, one that is missing, and a secret in plain text are refused", async () => {
  expect(await spoiled("hetzner", "server_type ", "server_tipe ")).toEqual([
    "resource hcloud_server.livekit.server_tipe: unknown",
    "resource hcloud_server.livekit.server_type: missing",
  ]);
  expect(await spoiled("hetzner", "source_ips ", "sources ")).toEqual([
    "resource hcloud_firewall.livekit.rule.sources: unknown",
  ]);
  expect(await spoiled("hetzner", "public_net {", "public_nets {")).toEqual([
    "resource hcloud_server.livekit.public_nets: unknown",
  ]);
  expect(await spoiled("hetzner", 'dynamic "rule"', 'dynamic "rules"')).toEqual([
    "resource hcloud_firewall.livekit.rules: unknown",
  ]);
  expect(await spoiled("hetzner", '"hcloud_zone_rrset"', '"hcloud_rrset"')).toEqual([
    "resource hcloud_rrset.livekit: unknown",
  ]);
  expect(
    await spoiled("hetzner", "hcloud_primary_ip.ipv4.ip_address", "hcloud_primary_ip.ipv4.address"),
  ).toEqual(["hcloud_primary_ip.ipv4.address: unknown"]);
  expect(await spoiled("hetzner", "= local.user_data\n", '= "#cloud-config"\n')).toEqual([
    "resource hcloud_server.livekit.user_data: a secret in plain text",
  ]);
  expect(
    await spoiled(
      "ovh",
      'provider "openstack" {\n',
      'provider "openstack" {\n  password = "hunter2"\n',
    ),
  ).toEqual(["provider openstack.password: a secret in plain text"]);
  await expect(readHcl('resource "a" "b" {\n  c = \n}\n')).rejects.toThrow();
  expect(await formatted("locals {\n  a = 1\n  long = 2\n}\n")).not.toBe(
    "locals {\n  a = 1\n  long = 2\n}\n",
  );
});

const openedIn = (main: HclMap): string[] => {
  const { rules } = localsOf(main);
  return openedBy(isMap(rules) ? rules : {});
};

const listOf = ({ ports }: Pick<Bundle, "ports">) => [
  ...new Set(
    ports
      .filter(({ audience }) => audience !== "internal")
      .flatMap(({ ports: range, protocol, sources }) =>
        sources.map((source) => `${range}/${protocol} ${source}`),
      ),
  ),
];

test("main.tf opens the ports of the list to the same people, and no others", async () => {
  for (const made of cases) {
    const main = await mainOf(made.files);
    expect(openedIn(main), `${made.provider}, ${made.name}`).toEqual(listOf(made).sort());
    // Linode's program refuses a list without addresses.
    expect(JSON.stringify(localsOf(main).rules)).not.toContain("[]");
  }
  const made = bundle(optionsFrom({ ...usual, provider: "hetzner" }));
  const closed = textOf(made, "main.tf").replace(/^.*"tcp 80".*\n/m, "");
  expect(openedIn(await readHcl(closed))).not.toEqual(listOf(made).sort());
});

test("Linode's firewall has at most 25 rules, and each at most 15 ports", async () => {
  const many = cases.find(({ provider, name }) => provider === "linode" && name === "many ports");
  const { rules } = localsOf(await mainOf(many?.files ?? []));
  const rows = Object.values(isMap(rules) ? rules : {}).filter(isMap);
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.length).toBeLessThanOrEqual(25);
  for (const { ports } of rows) expect(String(ports).split(/[,-]/).length).toBeLessThanOrEqual(15);
});

/** Each provider's machine and its address, and what a new version of the files may not touch of a machine that runs. */
const machines: Record<string, { type: string; address?: string; ignored: string[] }> = {
  aws: {
    type: "aws_instance",
    address: "aws_eip",
    ignored: ["ami", "key_name", "user_data_base64"],
  },
  azure: {
    type: "azurerm_linux_virtual_machine",
    address: "azurerm_public_ip",
    ignored: ["admin_ssh_key", "custom_data", "source_image_reference"],
  },
  "digital-ocean": {
    type: "digitalocean_droplet",
    address: "digitalocean_reserved_ip",
    ignored: ["image", "ssh_keys", "user_data"],
  },
  "google-cloud": {
    type: "google_compute_instance",
    address: "google_compute_address",
    ignored: ["boot_disk[0].initialize_params[0].image", "metadata"],
  },
  hetzner: {
    type: "hcloud_server",
    address: "hcloud_primary_ip",
    ignored: ["image", "ssh_keys", "user_data"],
  },
  ovh: {
    type: "openstack_compute_instance_v2",
    ignored: ["image_id", "image_name", "key_pair", "user_data"],
  },
  vultr: {
    type: "vultr_instance",
    address: "vultr_reserved_ip",
    ignored: ["os_id", "ssh_key_ids", "user_data"],
  },
  linode: { type: "linode_instance", ignored: ["authorized_keys", "image", "metadata"] },
  oracle: {
    type: "oci_core_instance",
    address: "oci_core_public_ip",
    ignored: ["metadata", "source_details[0].source_id"],
  },
};

test("a new version never replaces a machine or its address by itself", async () => {
  for (const { provider, name, files } of cases) {
    const main = await mainOf(files);
    const lifecycleOf = (type: string | undefined) =>
      declared(main, "resource")
        .filter((each) => each.type === type)
        .map(({ content }) => blocksOf(content.lifecycle)[0] ?? {});
    const { type, address, ignored } = machines[provider] ?? { type: "none", ignored: [] };
    const [machine = {}, ...others] = lifecycleOf(type);
    expect(others).toEqual([]);
    expect(machine.prevent_destroy, `${provider}, ${name}`).toBe(true);
    const names = Array.isArray(machine.ignore_changes) ? machine.ignore_changes : [];
    for (const each of ignored) expect(names, provider).toContain(`\${${each}}`);
    const addresses = lifecycleOf(address);
    expect(addresses.length > 0, provider).toBe(address !== undefined);
    for (const each of addresses) expect(each.prevent_destroy, provider).toBe(true);
  }
});

test("main.tf makes the machine of create-vm.sh: its type, image, region, name and disk", () => {
  for (const { typed, name, files } of cases) {
    const options = optionsFrom(typed);
    const text = files.find(({ path }) => path === "main.tf")?.content ?? "";
    const script = files.find(({ path }) => path === "create-vm.sh")?.content ?? "";
    const label = `${typed.provider}, ${name}`;
    expect(text, label).toContain(`= "${machineOf(options).name}"`);
    expect(text, label).toContain(`= "${regionOf(options)}"`);
    const [, machine] =
      /^NAME=(\S+)$/m.exec(script.replace(/^(NAME=.*\n)([\s\S]*\n)?NAME=/m, "NAME=")) ?? [];
    expect(text, label).toContain(`= "${machine}"`);
    const [, disk] = /^DISK_GB=(\d+)$/m.exec(script) ?? [];
    if (disk) expect(text, label).toMatch(new RegExp(`(size|gb|gbs) += ${disk}\\n`));
  }
});

test("records of the zone are set where the provider has one, and every record is an output", async () => {
  for (const { provider, name, files, dnsRecords } of cases) {
    const main = await mainOf(files);
    const { records } = localsOf(main);
    expect(Object.keys(isMap(records) ? records : {}).sort(), `${provider}, ${name}`).toEqual(
      dnsRecords.map(({ name: of, type }) => `${type} ${of}`).sort(),
    );
    const inZone = declared(main, "resource").filter(({ content }) =>
      JSON.stringify(content.for_each ?? "").includes("records_in_zone"),
    );
    expect(inZone.length > 0, `${provider}, ${name}`).toBe(provider !== "ovh");
  }
});

test("user data is the short one where the bundle has it, and no file of Terraform holds its token", () => {
  for (const { provider, name, files } of cases) {
    const texts = files
      .filter(isHcl)
      .map(({ content }) => content)
      .join("");
    const isConnected = name === "connected";
    expect(texts, provider).toContain(
      `default     = "${isConnected ? "user-data.py" : "cloud-init.yaml"}"`,
    );
    expect(texts).not.toContain(connection.token);
    expect(texts.includes("which your browser made"), provider).toBe(
      name === "secrets of a browser",
    );
    expect(texts.includes("within 72 hours"), provider).toBe(isConnected);
    expect(texts, provider).toContain("user_data = sensitive(");
  }
  const secrets = {
    apiKey: "APIabcdefghijkl",
    apiSecret: "s".repeat(43),
    redisPassword: "p".repeat(43),
    webhookSecret: "w".repeat(43),
  };
  const { files } = bundle(optionsFrom({ ...usual, secrets: "browser" }), secrets);
  for (const { path, content } of files.filter(isHcl))
    for (const secret of Object.values(secrets)) expect(content, path).not.toContain(secret);
});

test("a machine of one's own has none of these files", () => {
  expect(bundle(optionsFrom({ ...usual, provider: "other" })).files.filter(isHcl)).toEqual([]);
  for (const provider of providers)
    expect(
      bundle(optionsFrom({ ...usual, provider }))
        .files.filter(isHcl)
        .map(({ path }) => path),
    ).toEqual(["main.tf", "variables.tf", "outputs.tf"]);
});
