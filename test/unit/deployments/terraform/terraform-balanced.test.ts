import { expect, test, vi } from "vitest";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import { balancedAt, machinesCases } from "../../../support/deployments/terraform/cases.ts";
import { blocksOf, declared, readHcl } from "../../../support/deployments/terraform/hcl.ts";

vi.setConfig({ testTimeout: 120_000 });

const cases = machinesCases(balancedAt);
const contentOf = (files: readonly BundleFile[], name: string) =>
  files.find(({ path }) => path === name)?.content ?? "";
const mainOf = (files: readonly BundleFile[]) => readHcl(contentOf(files, "main.tf"));
const expression = (text: string) => `\${${text}}`;

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
  expect(found.length).toBe(15);
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
    // A machine that records alone answers nobody.
    expect(text).toMatch(
      /if local\.machines\[name\]\.role == "media" }|tag\.livekit\["media"\]\.name/,
    );
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
    const [{ prevent_destroy, ignore_changes } = {}] = blocksOf(content.lifecycle);
    expect(prevent_destroy).toBe(true);
    // What a later apply is not told again would take the password away.
    expect(JSON.stringify(ignore_changes).includes("{auth_token}"), provider).toBe(
      provider === "aws",
    );
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
