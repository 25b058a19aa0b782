import { expect, test, vi } from "vitest";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { terraform } from "~/features/deployments/bundle/files/terraform/terraform.ts";
import { machineOf } from "~/features/deployments/bundle/options/derived-options.ts";
import { bundle, scriptTexts } from "../../../support/deployments/bundle.ts";
import {
  optionsFrom,
  pairwiseBalanced,
  pairwiseClusters,
} from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { providers } from "../../../support/deployments/provider-command-lines.ts";
import {
  balancedAt,
  connection,
  machinesCases,
} from "../../../support/deployments/terraform/cases.ts";
import {
  blocksOf,
  declared,
  formatted,
  type HclMap,
  isMap,
  localsOf,
  readHcl,
} from "../../../support/deployments/terraform/hcl.ts";
import {
  machineTypes,
  privateNetworks,
} from "../../../support/deployments/terraform/machine-types.ts";
import { openedBy } from "../../../support/deployments/terraform/opened.ts";
import { schemaProblems } from "../../../support/deployments/terraform/schema-problems.ts";
import { amount, sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 120_000 });

const cases = machinesCases();
const usual = { domain: "livekit.example.com", topology: { kind: "cluster" } };
const isHcl = ({ path }: BundleFile) => path.endsWith(".tf");
const contentOf = (files: readonly BundleFile[], name: string) =>
  files.find(({ path }) => path === name)?.content ?? "";
const mainOf = (files: readonly BundleFile[]) => readHcl(contentOf(files, "main.tf"));
const expression = (text: string) => `\${${text}}`;
const mapOf = (main: HclMap, name: string): [string, HclMap][] => {
  const found = localsOf(main)[name];
  return Object.entries(isMap(found) ? found : {}).flatMap(([key, value]) =>
    isMap(value) ? [[key, value]] : [],
  );
};

test("each form with several machines is written as `terraform fmt` writes it, and says only what its provider takes", async () => {
  for (const { provider, name, files } of cases) {
    for (const { path, content } of files.filter(isHcl)) {
      expect(await formatted(content), `${provider}, ${name}: ${path}`).toBe(content);
      await readHcl(content);
    }
    expect(schemaProblems(await mainOf(files)), `${provider}, ${name}`).toEqual([]);
  }
});

test("so does every pair of answers of several machines", async () => {
  const mains = new Set(
    [pairwiseClusters, pairwiseBalanced].flatMap((pairs) =>
      pairs(amount({ inTest: 60, inProof: 200 })).flatMap((options) =>
        terraform(options, scriptTexts, []).flatMap(({ path, content }) =>
          path === "main.tf" ? [content] : [],
        ),
      ),
    ),
  );
  expect(mains.size).toBeGreaterThan(30);
  for (const main of sample([...mains], 30)) {
    expect(await formatted(main)).toBe(main);
    expect(schemaProblems(await readHcl(main))).toEqual([]);
  }
});

test("what a main.tf of several machines names is in one of its three files, and nothing else is", async () => {
  for (const { provider, name, files } of cases) {
    const texts = files.filter(isHcl).map(({ content }) => content);
    const all = texts.join("\n");
    const variables = [...all.matchAll(/^variable "(\w+)"/gm)].map(([, each]) => each);
    const used = [...all.matchAll(/\bvar\.(\w+)/g)].map(([, each]) => each);
    expect(new Set(used), `${provider}, ${name}`).toEqual(new Set(variables));
    const locals = Object.keys(localsOf(await mainOf(files)));
    for (const [, each] of all.matchAll(/\blocal\.(\w+)/g))
      expect(locals, `${provider}, ${name}`).toContain(each);
    expect(all.match(/#(if|end)|@[A-Z]/)).toBeNull();
  }
});

test("each role's firewall opens the ports of its services to the same people, and no others", async () => {
  for (const { provider, name, files, ports } of cases) {
    const rules = mapOf(await mainOf(files), "rules");
    expect(rules.map(([role]) => role)).toEqual([
      ...(name.startsWith("balanced") ? [] : ["edge"]),
      ...(name.endsWith("recording") ? ["egress"] : []),
      "media",
    ]);
    for (const [role, rows] of rules) {
      const listed = ports
        .filter(({ audience }) => audience !== "internal")
        .filter((each) => each.role === undefined || each.role === role)
        .flatMap((each) => each.sources.map((of) => `${each.ports}/${each.protocol} ${of}`));
      expect(openedBy(rows), `${provider}, ${name}, ${role}`).toEqual([...new Set(listed)].sort());
    }
  }
});

test("the machines are the edge, of the small size, and as many for calls as were chosen, all with the same user data", async () => {
  for (const { typed, provider, name, files } of cases) {
    const { topology } = optionsFrom(typed);
    const main = await mainOf(files);
    const machines = mapOf(main, "machines");
    const [[, edge] = ["", {}]] = machines;
    const media = machines.filter(([each]) => each !== "edge");
    if (topology.kind === "cluster") expect(machines[0]).toMatchObject(["edge", { role: "edge" }]);
    if (topology.kind === "single") throw new Error("It has one server");
    const numbered = (role: string, length: number) =>
      Array.from({ length }, (_, at) => [`${role}-${at + 1}`, role]);
    expect(media.map(([each, { role }]) => [each, role])).toEqual([
      ...numbered("egress", topology.egress),
      ...numbered("media", topology.machines),
    ]);
    if (name === "cluster, connected") {
      expect(edge.size).toBe(machineOf({ ...optionsFrom(typed), size: "small" }).name);
      for (const [, each] of media) {
        expect(each.size).toBe(machineOf(optionsFrom(typed)).name);
        expect({ ...each, role: "" }).not.toEqual({ ...edge, role: "" });
      }
    }
    const { machine = "", data = "", size = "" } = machineTypes[provider] ?? {};
    const [content, ...more] = declared(main, "resource")
      .filter(({ type }) => type === machine)
      .map((each) => each.content);
    expect(more).toEqual([]);
    expect(content).toMatchObject({
      for_each: expression(
        files.some(({ content }) => content.includes('variable "machines"'))
          ? "local.made"
          : "local.machines",
      ),
      [size]: expression("each.value.size"),
    });
    expect(JSON.stringify(content?.[data])).toMatch(
      /"\$\{(local\.user_data|base64encode\(local\.user_data\))\}"/,
    );
  }
});

test("another number of machines for calls changes nothing of one that records alone", async () => {
  const [aws] = cases.filter(
    ({ provider, name }) => provider === "aws" && name === "balanced, recording",
  );
  const rowOf = async (machines: number) => {
    const { files } = bundle(
      optionsFrom({ ...aws?.typed, topology: { kind: "balanced", machines, egress: 1 } }),
    );
    return mapOf(await mainOf(files), "machines").find(([name]) => name === "egress-1");
  };
  const before = await rowOf(3);
  expect(before?.[1]).toMatchObject({ role: "egress", zone: 0 });
  expect(await rowOf(4)).toEqual(before);
});

test("each machine is in the private network, and behind the firewall of its own role", async () => {
  for (const { provider, name, files } of cases) {
    const main = await mainOf(files);
    const ofMachines = declared(main, "resource").filter(({ content }) =>
      /local\.(machines|made)/.test(String(content.for_each)),
    );
    const texts = ofMachines.map(({ content }) => JSON.stringify(content));
    const found = (what: string) => texts.filter((text) => text.includes(what)).length;
    expect(found(privateNetworks[provider] ?? "none"), `${provider}, ${name}`).toBe(1);
    expect(found("each.value.role"), `${provider}, ${name}`).toBe(1);
  }
});

test("neither a new version nor a smaller number deletes a machine or an address by itself, and another size stops none", async () => {
  for (const { provider, name, files } of cases) {
    const main = await mainOf(files);
    const { machine = "", address, size, data = "" } = machineTypes[provider] ?? {};
    // A droplet has its own address until it is deleted, and a reserved one where names lead to it.
    const hasAddress = address && (provider !== "digital-ocean" || name.startsWith("cluster"));
    for (const of of [machine, ...(hasAddress ? [address] : [])]) {
      const found = declared(main, "resource").filter(({ type }) => type === of);
      expect(found.length, `${provider}, ${name}, ${of}`).toBeGreaterThan(0);
      for (const { content } of found) {
        const [{ prevent_destroy, ignore_changes } = {}] = blocksOf(content.lifecycle);
        expect(prevent_destroy, `${provider}, ${name}, ${of}`).toBe(true);
        if (of !== machine) continue;
        expect(JSON.stringify(ignore_changes)).toContain(data);
        expect(ignore_changes, `${provider}, ${name}`).toContain(`\${${size}}`);
      }
    }
  }
});

test("names lead to the edge or to the balancer alone, and the private network lies in that of the options", async () => {
  for (const { provider, name, files, dnsRecords } of cases) {
    const main = await mainOf(files);
    const records = mapOf(main, "records").map(([key]) => key);
    expect(records.sort()).toEqual(dnsRecords.map(({ name: of, type }) => `${type} ${of}`).sort());
    const { address, balancer } = localsOf(main);
    expect(String(address ?? balancer), `${provider}, ${name}`).toMatch(
      name.startsWith("balanced")
        ? /load_?balancer\.livekit|aws_eip\.balancer/
        : /\["edge"\]|reserved_ip\.livekit/,
    );
    const text = contentOf(files, "main.tf");
    expect(text, provider).toMatch(
      name.includes("nine") ? /"192\.168\.7\.0\/2[68]"/ : /"10\.0\.0\.0\/24"/,
    );
  }
});

test("the output is what makes the cluster, the edge or the first machine first, and no file holds the token", () => {
  for (const { provider, name, files } of cases) {
    const output = contentOf(files, "outputs.tf");
    const options = provider === "aws" ? `SSH_OPTIONS='-i ~/.ssh/\${var.ssh_key}.pem' ` : "";
    if (name.endsWith("recording")) {
      const addresses = (is: string) =>
        `join(" ", [for name, address in local.addresses : address if local.machines[name].role ${is} "egress"]),`;
      expect(output).toContain(
        `"${options}sh cluster.sh make",\n    ${addresses("!=")}\n    "--egress",\n    ${addresses("==")}`,
      );
    } else
      expect(output).toContain(
        `"${options}sh cluster.sh make ${expression('join(" ", values(local.addresses))')}"`,
      );
    expect(output).not.toContain('output "login"');
    for (const { path, content } of files.filter(isHcl))
      expect(content, path).not.toContain(connection.token);
  }
});

/** The problems of a usual main.tf with something else in the place of something in it. */
async function spoiled(provider: string, from: string, to: string): Promise<string[]> {
  const text = textOf(bundle(optionsFrom({ ...usual, provider })), "main.tf");
  expect(text).toContain(from);
  return schemaProblems(await readHcl(text.replace(from, to)));
}

test("a misspelt argument, block or resource, one that is missing, and a secret in plain text are refused here too", async () => {
  expect(await spoiled("hetzner", "network_zone = ", "network_zones = ")).toEqual([
    "resource hcloud_network_subnet.livekit.network_zones: unknown",
    "resource hcloud_network_subnet.livekit.network_zone: missing",
  ]);
  expect(await spoiled("digital-ocean", "ip_range = ", "range = ")).toEqual([
    "resource digitalocean_vpc.livekit.range: unknown",
  ]);
  expect(await spoiled("aws", '"aws_subnet" "livekit"', '"aws_subnets" "livekit"')).toContain(
    "resource aws_subnets.livekit: unknown",
  );
  expect(await spoiled("vultr", "v4_subnet_mask = ", "v4_subnet_bits = ")).toEqual([
    "resource vultr_vpc.livekit.v4_subnet_bits: unknown",
  ]);
  expect(await spoiled("ovh", "network_id = ", "network = ")).toEqual([
    "resource openstack_networking_subnet_v2.livekit.network: unknown",
    "resource openstack_networking_subnet_v2.livekit.network_id: missing",
  ]);
  expect(await spoiled("linode", 'vpc_subnet" "livekit"', 'subnet" "livekit"')).toContain(
    "resource linode_subnet.livekit: unknown",
  );
  expect(await spoiled("google-cloud", "= local.user_data\n", '= "#!/bin/sh"\n')).toEqual([
    "resource google_compute_instance.livekit.metadata.user-data: a secret in plain text",
  ]);
  expect(await spoiled("azure", "source_port_range ", "source_ports ")).toEqual([
    "resource azurerm_network_security_rule.livekit.source_ports: unknown",
  ]);
  expect(await spoiled("oracle", "destination_port_range {", "port_range {")).toContain(
    "resource oci_core_network_security_group_security_rule.livekit.tcp_options.port_range: unknown",
  );
  expect(await spoiled("aws", "= local.user_data\n", '= "#!/bin/sh"\n')).toEqual([
    "resource aws_instance.livekit.user_data_base64: a secret in plain text",
  ]);
});

test("a cluster's main.tf is at every provider, one behind a balancer where that is too, and else the README says how by hand", () => {
  const usualBalanced = machinesCases().find(({ name }) => name === "balanced, dual")?.typed;
  for (const provider of [...providers, "other"]) {
    const made = bundle(optionsFrom({ ...usual, provider }));
    const readme = textOf(made, "README.md");
    const isOther = provider === "other";
    expect(made.files.some(isHcl), provider).toBe(!isOther);
    expect(readme.includes("By Terraform or OpenTofu: see Terraform below."), provider).toBe(
      !isOther,
    );
    expect(readme.includes("A smaller number** deletes nothing"), provider).toBe(!isOther);
    expect(readme).toMatch(/[Cc]reate 4 machines with Ubuntu 24.04/);
    const balanced = bundle(optionsFrom({ ...usualBalanced, provider }));
    const isMade = balancedAt.some((each) => each === provider);
    expect(balanced.files.some(isHcl), provider).toBe(isMade);
    expect(textOf(balanced, "README.md").includes("terraform"), provider).toBe(isMade);
  }
});

test("Linode's firewalls have at most 25 rules of at most 15 ports, and names of 32 characters", async () => {
  const many = cases.filter(({ provider }) => provider === "linode");
  for (const { name, files } of many) {
    const main = await mainOf(files);
    const { short_name } = localsOf(main);
    for (const [role, rows] of mapOf(main, "rules")) {
      const rules = Object.values(rows).filter(isMap);
      expect(rules.length, `${name}, ${role}`).toBeLessThanOrEqual(25);
      for (const { ports } of rules)
        expect(String(ports).split(/[,-]/).length, name).toBeLessThanOrEqual(15);
      expect(`${short_name}-${role}`.length).toBeLessThanOrEqual(32);
    }
  }
});

test("Oracle's machines have the cores of their size, though all are of one shape", async () => {
  const large = cases.find(
    ({ provider, name }) => provider === "oracle" && name === "cluster, connected",
  );
  const machines = mapOf(await mainOf(large?.files ?? []), "machines");
  expect(machines.map(([, { ocpus, memory }]) => [ocpus, memory])).toEqual([
    [1, 4],
    ...Array.from({ length: 3 }, () => [4, 16]),
  ]);
});

test("at Google the key is in the metadata, for the account by which cluster.sh logs in", async () => {
  for (const { provider, files } of cases.filter((each) => each.provider === "google-cloud")) {
    const machine = declared(await mainOf(files), "resource").find(
      ({ type }) => type === machineTypes[provider]?.machine,
    );
    expect(machine?.content.metadata).toMatchObject({
      "ssh-keys": expect.stringMatching(/^ubuntu:\$\{/),
    });
    expect(contentOf(files, "cluster.sh")).toContain("ACCOUNT='ubuntu'\n");
  }
});
