import { expect, test } from "vitest";
import { maxConnectBytes } from "~/features/servers/connect-script/connect-script.ts";
import { connectedCommands } from "~/features/servers/layout/layout.ts";
import { objectProblems, objectsIn } from "../../support/kubernetes/objects.ts";
import { manifestText } from "../../support/servers/layouts/connect-text.ts";

const manifests = objectsIn(manifestText);
const byKind = Object.fromEntries(manifests.map((each) => [each.kind, each]));
const deployment = JSON.parse(JSON.stringify(byKind.Deployment));
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

test("the manifest has the fields that Kubernetes describes of four objects and none else, all in one namespace, whose deletion takes everything away", () => {
  expect(manifests.map(({ kind, apiVersion }) => [kind, apiVersion])).toEqual([
    ["Namespace", "v1"],
    ["ServiceAccount", "v1"],
    ["ConfigMap", "v1"],
    ["Deployment", "apps/v1"],
  ]);
  for (const each of manifests) {
    expect(objectProblems(each)).toEqual([]);
    const { name, namespace } = each.metadata as { name: string; namespace?: string };
    expect(each.kind === "Namespace" ? name : namespace).toBe("livekit-connect");
  }
  expect(connectedCommands({ kind: "kubernetes" }).removal).toBe(
    "kubectl delete namespace livekit-connect",
  );
  expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels);
  const mounted = container.volumeMounts.map(({ name }: { name: string }) => name);
  expect(pod.volumes.map(({ name }: { name: string }) => name)).toEqual(mounted);
});

test("the pod has no right in the cluster's API, no root, nothing to write but its two folders in memory, and limits", () => {
  expect(byKind.ServiceAccount?.automountServiceAccountToken).toBe(false);
  expect(pod.automountServiceAccountToken).toBe(false);
  expect(manifestText).not.toMatch(/kind: (Cluster)?Role/);
  expect(pod.securityContext).toMatchObject({
    ...{ runAsNonRoot: true, runAsUser: 65_534 },
    seccompProfile: { type: "RuntimeDefault" },
  });
  expect(container.securityContext).toEqual({
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
    capabilities: { drop: ["ALL"] },
  });
  expect(container.resources.limits).toEqual({ cpu: "100m", memory: "64Mi" });
  expect(container.image).toMatch(/^python:\d+\.\d+-alpine@sha256:[0-9a-f]{64}$/);
  for (const { name, emptyDir } of pod.volumes)
    expect(["script", "secret"].includes(name) || emptyDir.medium === "Memory").toBe(true);
});

test("the manifest is short enough to be read, and has no token", () => {
  expect(Buffer.byteLength(manifestText)).toBeLessThanOrEqual(maxConnectBytes);
  expect(manifestText).not.toMatch(/lkd_[a-z]_[0-9a-f]/);
});
