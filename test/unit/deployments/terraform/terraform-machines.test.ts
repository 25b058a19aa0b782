import { expect, test, vi } from "vitest";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { terraform } from "~/features/deployments/bundle/files/terraform/terraform.ts";
import { bundle, scriptTexts } from "../../../support/deployments/bundle.ts";
import {
  optionsFrom,
  pairwiseBalanced,
  pairwiseClusters,
} from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import {
  connection,
  machinesCases,
  severalAt,
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

/** `443/tcp 0.0.0.0/0`, of the rows of a role. */
const opened = (rules: HclMap): string[] =>
  Object.values(rules)
    .filter(isMap)
    .flatMap(({ protocol, ports, from, to, source, sources }) =>
      (Array.isArray(sources) ? sources.map(String) : [String(source)]).map(
        (each) => `${ports ?? (from === to ? from : `${from}-${to}`)}/${protocol} ${each}`,
      ),
    );

test("each role's firewall opens the ports of its services to the same people, and no others", async () => {
  for (const { typed, provider, name, files } of cases) {
    const { ports } = bundle(optionsFrom(typed));
    const rules = mapOf(await mainOf(files), "rules");
    expect(rules.map(([role]) => role)).toEqual(
      name.startsWith("balanced") ? ["media"] : ["edge", "media"],
    );
    for (const [role, rows] of rules) {
      const listed = ports
        .filter(({ audience }) => audience !== "internal")
        .filter((each) => each.role === undefined || each.role === role)
        .flatMap((each) => each.sources.map((of) => `${each.ports}/${each.protocol} ${of}`));
      expect(opened(rows).sort(), `${provider}, ${name}, ${role}`).toEqual(
        [...new Set(listed)].sort(),
      );
    }
  }
});

/** Each provider's machine, and its address where that is a resource of its own. */
const types: Record<string, { machine: string; address: string; size: string; userData: string }> =
  {
    aws: {
      ...{ machine: "aws_instance", address: "aws_eip" },
      ...{ size: "instance_type", userData: "user_data_base64" },
    },
    "digital-ocean": {
      ...{ machine: "digitalocean_droplet", address: "digitalocean_reserved_ip" },
      ...{ size: "size", userData: "user_data" },
    },
    hetzner: {
      ...{ machine: "hcloud_server", address: "hcloud_primary_ip" },
      ...{ size: "server_type", userData: "user_data" },
    },
  };

test("the machines are the edge, of the small size, and as many for calls as were chosen, all with the same user data", async () => {
  const sizes = { aws: "c7i", "digital-ocean": "c-", hetzner: "ccx" };
  for (const { typed, provider, name, files } of cases) {
    const { topology } = optionsFrom(typed);
    const main = await mainOf(files);
    const machines = mapOf(main, "machines");
    const [[, { size }] = ["", {}]] = machines;
    const media = machines.filter(([each]) => each !== "edge");
    if (topology.kind === "cluster") expect(machines[0]).toMatchObject(["edge", { role: "edge" }]);
    expect(media.map(([each]) => each)).toEqual(
      Array.from(
        { length: topology.kind === "single" ? 0 : topology.machines },
        (_, at) => `media-${at + 1}`,
      ),
    );
    expect(new Set(media.map(([, each]) => each.role))).toEqual(new Set(["media"]));
    if (name === "cluster, connected") {
      expect(size).toContain(sizes[provider as keyof typeof sizes]);
      expect(new Set(media.map(([, each]) => each.size))).not.toContain(size);
    }
    const { machine = "", userData = "", size: sizeName = "" } = types[provider] ?? {};
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
      [sizeName]: expression("each.value.size"),
      [userData]: expression("local.user_data"),
    });
  }
});

test("neither a new version nor a smaller number deletes a machine or an address by itself", async () => {
  for (const { provider, name, files } of cases) {
    const main = await mainOf(files);
    const { machine = "", address = "" } = types[provider] ?? {};
    // A droplet has its own address until it is deleted, and a reserved one where names lead to it.
    const hasAddresses = provider !== "digital-ocean" || name.startsWith("cluster");
    for (const of of [machine, ...(hasAddresses ? [address] : [])]) {
      const found = declared(main, "resource").filter(({ type }) => type === of);
      expect(found.length, `${provider}, ${name}, ${of}`).toBeGreaterThan(0);
      for (const { content } of found) {
        const [{ prevent_destroy, ignore_changes } = {}] = blocksOf(content.lifecycle);
        expect(prevent_destroy, `${provider}, ${name}, ${of}`).toBe(true);
        if (of === machine) expect(JSON.stringify(ignore_changes)).toContain("user_data");
      }
    }
  }
});

test("names lead to the edge or to the balancer alone, and the private network lies in that of the options", async () => {
  for (const { typed, provider, name, files } of cases) {
    const main = await mainOf(files);
    const { dnsRecords } = bundle(optionsFrom(typed));
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
  for (const { provider, files } of cases) {
    const output = contentOf(files, "outputs.tf");
    const options = provider === "aws" ? `SSH_OPTIONS='-i ~/.ssh/\${var.ssh_key}.pem' ` : "";
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
  expect(await spoiled("aws", "= local.user_data\n", '= "#!/bin/sh"\n')).toEqual([
    "resource aws_instance.livekit.user_data_base64: a secret in plain text",
  ]);
});

/** The balancer of each provider by its type, and where its health check is. */
const balancers: Record<string, { type: string; service: string; check: string }> = {
  aws: { type: "aws_lb", service: "aws_lb_target_group", check: "health_check" },
  "digital-ocean": {
    ...{ type: "digitalocean_loadbalancer", service: "digitalocean_loadbalancer" },
    check: "healthcheck",
  },
  hetzner: {
    ...{ type: "hcloud_load_balancer", service: "hcloud_load_balancer_service" },
    check: "health_check",
  },
};

test("a balancer passes 443 on without ending TLS, and asks Caddy of each machine, not LiveKit or port 443", async () => {
  const found = cases.filter(({ name }) => name.startsWith("balanced"));
  expect(found.length).toBe(12);
  for (const { provider, name, files } of found) {
    const main = await mainOf(files);
    const of = (type: string | undefined) =>
      declared(main, "resource").filter((each) => each.type === type);
    const { type, service, check = "" } = balancers[provider] ?? {};
    const [balancer] = of(type);
    expect(blocksOf(balancer?.content.lifecycle)[0]?.prevent_destroy).toBe(true);
    const [{ content = {} } = {}] = of(service);
    const [looked] = blocksOf(content[check]);
    expect(Number(looked?.port), `${provider}, ${name}`).toBe(7994);
    expect(String(looked?.protocol).toLowerCase()).toBe("http");
    const text = contentOf(files, "main.tf");
    expect(text).not.toMatch(/certificate|tls_passthrough|proxy_?protocol += true|autoscal/i);
    expect(text.match(/"(tcp|TCP)"/g)?.length).toBeGreaterThan(0);
  }
});

test("a balancer takes machines in turn, since a dead one has fewest connections until it is known", async () => {
  for (const { provider, name, files } of cases.filter(({ name }) => name.startsWith("balanced"))) {
    const main = await mainOf(files);
    const [balancer] = declared(main, "resource").filter(
      ({ type }) => type === balancers[provider]?.type,
    );
    const [algorithm] = blocksOf(balancer?.content.algorithm);
    expect(algorithm?.type, `${provider}, ${name}`).toBe(
      provider === "hetzner" ? "round_robin" : undefined,
    );
  }
});

test("a Redis of the provider has TLS and a second node, and is there where the options leave that open", async () => {
  for (const { provider, name, files } of cases) {
    const main = await mainOf(files);
    const [redis] = declared(main, "resource").filter(({ type }) =>
      ["aws_elasticache_replication_group", "digitalocean_database_cluster"].includes(type),
    );
    const isMade =
      name.startsWith("balanced") && !name.includes("Sentinel") && provider !== "hetzner";
    expect(redis !== undefined, `${provider}, ${name}`).toBe(isMade);
    if (!redis) continue;
    const { content } = redis;
    expect(blocksOf(content.lifecycle)[0]?.prevent_destroy).toBe(true);
    if (provider === "aws")
      expect(content).toMatchObject({
        ...{ num_cache_clusters: 2, multi_az_enabled: true, automatic_failover_enabled: true },
        ...{ transit_encryption_enabled: true, auth_token: expression("var.redis_password") },
      });
    else expect(content).toMatchObject({ engine: "valkey", node_count: 2 });
    const others = contentOf(files, "outputs.tf") + contentOf(files, "variables.tf");
    expect(others).toContain('output "redis_address"');
    expect(others).toMatch(/(output|variable) "redis_password" \{[^}]*sensitive += true/);
  }
});

test("where no main.tf makes several machines, there is none, and the README says how to make them by hand", () => {
  for (const provider of ["azure", "google-cloud", "linode", "oracle", "ovh", "vultr", "other"]) {
    const made = bundle(optionsFrom({ ...usual, provider }));
    expect(made.files.filter(isHcl), provider).toEqual([]);
    expect(textOf(made, "README.md")).toContain("Create 4 machines with Ubuntu 24.04");
    expect(textOf(made, "README.md")).not.toContain("terraform");
  }
  for (const provider of severalAt) {
    const readme = textOf(bundle(optionsFrom({ ...usual, provider })), "README.md");
    expect(readme, provider).toContain("By Terraform or OpenTofu: see Terraform below.");
    expect(readme, provider).toContain("A smaller number** deletes nothing");
  }
});
