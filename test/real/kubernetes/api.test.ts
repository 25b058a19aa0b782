import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { kubernetesKinds } from "../../support/kubernetes/kinds.ts";
import schema from "../../support/kubernetes/schema.json" with { type: "json" };
import { type KubernetesVariant, kubernetesVariants } from "../../support/kubernetes/variants.ts";
import { manifestText } from "../../support/servers/layouts/connect-text.ts";
import { startCluster } from "./cluster.ts";
import { cutSchema } from "./cut-schema.ts";
import { chartAlone, listOf, rendered } from "./rendering.ts";

let cluster: Awaited<ReturnType<typeof startCluster>>;
beforeAll(async () => {
  cluster = await startCluster();
  cluster.must(["create", "namespace", "livekit"]);
});
afterAll(() => cluster[Symbol.asyncDispose]());

const dryRun = ["apply", "--dry-run=server", "--validate=strict", "-f", "-"];
test.each(Object.keys(kubernetesVariants) as KubernetesVariant[])(
  "Kubernetes' API takes each object of the page (%s)",
  (variant) => {
    const { status, stdout, stderr } = cluster.kubectl(dryRun, listOf(rendered(variant)));
    // The charts name the class of a cloud's Ingress in the older way, which that cloud asks for.
    const older = 'annotation "kubernetes.io/ingress.class" is deprecated';
    expect(stderr).toEqual(
      variant === "any" ? "" : expect.stringMatching(`^Warning: ${older}.*\n$`),
    );
    expect(status).toBe(0);
    expect(stdout).toContain("deployment.apps/livekit-server created (server dry run)");
  },
);

test("it refuses a misspelt field, a missing one, and the chart's Ingress without a host", () => {
  const text = rendered("any");
  for (const [from, to, says] of [
    ["maxSurge: 0", "maxSurges: 0", 'unknown field "spec.strategy.rollingUpdate.maxSurges"'],
    ["        image: livekit/ingress:v", "        # ", "Required value"],
    ["maxUnavailable: 1", "maxUnavailable: 0", "may not be 0 when `maxSurge` is 0"],
  ] as const) {
    expect(text).toContain(from);
    const { status, stderr } = cluster.kubectl(dryRun, text.replace(from, to));
    expect(status, to).toBe(1);
    expect(stderr).toContain(says);
  }
  const bare = chartAlone("livekit-server", ["--set", "loadBalancer.type=alb"]);
  const { status, stderr } = cluster.kubectl([...dryRun, "-n", "livekit"], bare);
  expect(status).toBe(1);
  expect(stderr).toContain("either `defaultBackend` or `rules` must be specified");
});

test("it takes the manifest that connects a cluster to the console", () => {
  const [namespace, ...others] = manifestText.split("\n---\n");
  cluster.must(["apply", "--validate=strict", "-f", "-"], namespace);
  const { status, stdout, stderr } = cluster.kubectl(dryRun, others.join("\n---\n"));
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toContain("deployment.apps/livekit-connect created");
});

test("the fields that it describes are those that the tests know", async () => {
  const groups = ["api/v1", "apis/apps/v1", "apis/networking.k8s.io/v1", "apis/policy/v1"];
  const descriptions = groups.map((group): unknown =>
    JSON.parse(cluster.must(["get", "--raw", `/openapi/v3/${group}`])),
  );
  const { gitVersion } = z
    .object({ gitVersion: z.string() })
    .parse(JSON.parse(cluster.must(["get", "--raw", "/version"])));
  const definitions = cutSchema(descriptions, Object.values(kubernetesKinds));
  const isSame =
    schema.version === gitVersion &&
    JSON.stringify(schema.definitions) === JSON.stringify(definitions);
  const today = new Date().toISOString().slice(0, 10);
  await expect(
    `${JSON.stringify({ version: gitVersion, date: isSame ? schema.date : today, definitions }, null, 2)}\n`,
  ).toMatchFileSnapshot("../../support/kubernetes/schema.json");
});
