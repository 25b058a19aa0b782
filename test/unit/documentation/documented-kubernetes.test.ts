import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { builtPrograms, findKubernetes } from "../../real/kubernetes/requirements.ts";
import { unknownKeys } from "../../support/deployments/bundle-checks.ts";
import { pageText, samplesOf } from "../../support/documentation/samples.ts";
import {
  type KubernetesObject,
  objectProblems,
  objectsIn,
} from "../../support/kubernetes/objects.ts";
import {
  backendsOf,
  configurationIn,
  deploymentOf,
  environmentOf,
  objectOf,
  selectorOf,
  serviceOf,
} from "../../support/kubernetes/pods.ts";
import { type KubernetesVariant, kubernetesVariants } from "../../support/kubernetes/variants.ts";

const variants = Object.keys(kubernetesVariants) as KubernetesVariant[];
const renderedText = (variant: KubernetesVariant) =>
  readFileSync(`test/support/kubernetes/rendered/${variant}.yaml`, "utf8");
const objects = objectsIn(renderedText("any"));

/** What the Secret holds that the page has readers make. */
const secrets = {
  "livekit-secrets": {
    "api-key": "APIkey",
    "api-secret": "secret",
    "keys.yaml": "APIkey: secret\n",
    "redis-password": "p4ss: {word} #1",
  },
};

/** What the chart leads to its templates through LiveKit's configuration, which LiveKit itself skips. */
const ofTheChart = /^turn\.(secretName|loadBalancerAnnotations(\..+)?)$/;

test.each(variants)(
  "Kubernetes takes each field of what the charts make of our files (%s)",
  (variant) => {
    const all = objectsIn(renderedText(variant));
    const known = all.filter(({ kind }) => kind !== "BackendConfig");
    expect(known.flatMap(objectProblems)).toEqual([]);
    // Google's own kind, and the chart's alone.
    expect(all.length - known.length).toBe(variant === "gke" ? 1 : 0);
    for (const { metadata } of all) expect(metadata.namespace, metadata.name).toBe("livekit");
  },
);

test("a misspelt field, a missing one and a value of another type are refused", () => {
  const text = JSON.stringify(objectOf(objects, "Deployment", "livekit-server"));
  const problemsOf = (from: string, to: string) => {
    expect(text).toContain(from);
    return objectProblems(objectsIn(text.replace(from, to))[0] as KubernetesObject);
  };
  expect(problemsOf('"tcpSocket"', '"tcpsocket"')).toEqual([
    expect.stringMatching(/livenessProbe must NOT have additional properties tcpsocket$/),
  ]);
  expect(problemsOf('"selector":', '"selektor":')).toHaveLength(2);
  expect(problemsOf('"replicas":2', '"replicas":"2"')).toEqual([
    "apps/v1 Deployment /spec/replicas must be integer",
  ]);
  expect(() => objectsIn("kind: A\nkind: B\n")).toThrow("Map keys must be unique");
});

test.each(variants)(
  "LiveKit, Egress and Ingress know each key of their configuration (%s)",
  (variant) => {
    const all = objectsIn(renderedText(variant));
    const server = environmentOf(all, "livekit-server", secrets).LIVEKIT_CONFIG ?? "";
    const unknown = unknownKeys("livekit", pinned.livekit.tag, server);
    expect(unknown.filter((key) => !ofTheChart.test(key))).toEqual([]);
    const egress = environmentOf(all, "livekit-egress", secrets).EGRESS_CONFIG_BODY ?? "";
    expect(unknownKeys("egress", pinned.egress.tag, egress)).toEqual([]);
    const ingress = environmentOf(all, "livekit-ingress", secrets).INGRESS_CONFIG_BODY ?? "";
    expect(unknownKeys("ingress", pinned.ingress.tag, ingress)).toEqual([]);
    expect(unknownKeys("ingress", pinned.ingress.tag, `${ingress}whip_prt: 1\n`)).toEqual([
      "whip_prt",
    ]);
  },
);

test("keys and Redis' password come from the Secret, as each program reads them, and stand in no object", () => {
  const server = environmentOf(objects, "livekit-server", secrets);
  expect(server.REDIS_PASSWORD).toBe("p4ss: {word} #1");
  expect(parse(server.LIVEKIT_CONFIG ?? "")).toMatchObject({ key_file: "keys.yaml", keys: {} });
  const { pod } = deploymentOf(objects, "livekit-server");
  expect(pod.volumes).toContainEqual({
    name: "keys-volume",
    // 0600: LiveKit refuses a file of keys that others may read.
    secret: { secretName: "livekit-secrets", defaultMode: 0o600 },
  });
  for (const [name, body] of [
    ["livekit-egress", "EGRESS_CONFIG_BODY"],
    ["livekit-ingress", "INGRESS_CONFIG_BODY"],
  ] as const) {
    const environment = environmentOf(objects, name, secrets);
    expect(environment).toMatchObject({ LIVEKIT_API_KEY: "APIkey", LIVEKIT_API_SECRET: "secret" });
    expect(parse(environment[body] ?? "")).toMatchObject({
      redis: { address: "redis.livekit.svc:6379", password: "p4ss: {word} #1" },
      ws_url: "wss://livekit.example.com",
    });
    expect(parse(configurationIn(objects, name))).not.toHaveProperty("redis");
  }
  for (const variant of variants) {
    expect(objectsIn(renderedText(variant)).map(({ kind }) => kind)).not.toContain("Secret");
    const words = renderedText(variant).replaceAll("password: '$(REDIS_PASSWORD)'", "");
    expect(words).not.toMatch(/password:|api_secret|secret_key|access_key/);
  }
  const without = { "livekit-secrets": { "api-key": "APIkey", "api-secret": "secret" } };
  expect(() => environmentOf(objects, "livekit-egress", without)).toThrow("redis-password");
});

test("while Redis is away a pod of LiveKit lives on, and takes no new calls", () => {
  const { container } = deploymentOf(objects, "livekit-server");
  expect(container.livenessProbe).toEqual({ tcpSocket: { port: "http" } });
  expect(container.readinessProbe).toEqual({ httpGet: { path: "/", port: "http" } });
});

test("pods that have the ports of their node make room before the next one comes, and wait for their calls", () => {
  for (const name of ["livekit-server", "livekit-ingress"]) {
    const { strategy, pod } = deploymentOf(objects, name);
    expect(pod.hostNetwork).toBe(true);
    expect(strategy).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    });
    expect(pod.nodeSelector).toEqual({ livekit: "true" });
    expect(pod.tolerations).toEqual([{ key: "livekit", operator: "Exists", effect: "NoSchedule" }]);
  }
  for (const [name, seconds] of [
    ["livekit-server", 18_000],
    ["livekit-egress", 10_800],
    ["livekit-ingress", 10_800],
  ] as const) {
    const { pod, annotations } = deploymentOf(objects, name);
    expect(pod.terminationGracePeriodSeconds).toBe(seconds);
    expect(annotations["cluster-autoscaler.kubernetes.io/safe-to-evict"]).toBe("false");
    expect(objectOf(objects, "PodDisruptionBudget", name).spec).toMatchObject({
      maxUnavailable: 1,
    });
  }
});

test("values name the versions that bundles have", () => {
  for (const [name, program] of [
    ["livekit-server", pinned.livekit],
    ["livekit-egress", pinned.egress],
    ["livekit-ingress", pinned.ingress],
  ] as const)
    expect(deploymentOf(objects, name).container.image).toBe(`${program.image}:${program.tag}`);
});

test.each(variants)(
  "what an object leads to is there: pods, Services and their ports (%s)",
  (variant) => {
    const all = objectsIn(renderedText(variant));
    const labels = all
      .filter(({ kind }) => kind === "Deployment")
      .map(({ metadata: { name } }) => deploymentOf(all, name).labels);
    const selecting = all.filter(({ kind }) => ["PodDisruptionBudget", "Service"].includes(kind));
    for (const each of selecting) {
      const wanted = Object.entries(selectorOf(each));
      const found = labels.filter((pod) => wanted.every(([name, value]) => pod[name] === value));
      expect(found, each.metadata.name).toHaveLength(1);
    }
    const backends = all.filter(({ kind }) => kind === "Ingress").flatMap(backendsOf);
    expect(backends.length).toBeGreaterThan(0);
    for (const { name, port } of backends) {
      const named = serviceOf(all, name).ports.filter((each) =>
        "name" in port ? each.name === port.name : each.port === port.number,
      );
      expect(named, name).toHaveLength(1);
    }
  },
);

test("the commands of the page make the Secret that pods refer to, and leave no key behind", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kubernetes-"));
  const inside = (name: string) => join(folder.path, name);
  const [commands] = samplesOf("kubernetes").filter(({ code }) => code.includes("create secret"));
  // Of kubectl what it is called with, and the folder that it reads.
  writeFileSync(
    inside("kubectl"),
    `#!/bin/sh\necho "$*" >>${inside("calls")}\ncase "$*" in *secret*) cp -R secrets ${inside("read")} ;; esac\n`,
    { mode: 0o755 },
  );
  const { status, stderr } = spawnSync("bash", ["--norc", "-euc", commands?.code ?? ""], {
    cwd: folder.path,
    encoding: "utf8",
    input: "p4ss word\n",
    env: { ...process.env, PATH: `${folder.path}:${process.env.PATH}` },
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const files = readdirSync(inside("read"));
  expect(files.toSorted()).toEqual(Object.keys(secrets["livekit-secrets"]).toSorted());
  const values = Object.fromEntries(
    files.map((name) => [name, readFileSync(join(inside("read"), name), "utf8")]),
  );
  expect(values["api-key"]).toMatch(/^API[0-9a-f]{12}$/);
  expect(values["api-secret"]).toMatch(/^[0-9a-f]{64}$/);
  expect(parse(values["keys.yaml"] ?? "")).toEqual({
    [`${values["api-key"]}`]: values["api-secret"],
  });
  expect(values["redis-password"]).toBe("p4ss word");
  expect(statSync(join(inside("read"), "keys.yaml")).mode & 0o077).toBe(0);
  expect(readdirSync(folder.path)).not.toContain("secrets");
  expect(readFileSync(inside("calls"), "utf8")).toBe(
    "create namespace livekit\ncreate secret generic livekit-secrets -n livekit --from-file=secrets\n",
  );
});

test("the page, its files and the proof name one state of the charts, and the page offers each file", () => {
  const page = pageText("kubernetes");
  const [, state = ""] = /checkout -q ([0-9a-f]{40})/.exec(page) ?? [];
  expect(readFileSync("public/kubernetes/kustomization.yaml", "utf8")).toContain(` -q ${state}\n`);
  expect(readFileSync("test/real/kubernetes/build-programs.sh", "utf8")).toContain(
    `charts=${state}`,
  );
  for (const file of readdirSync("public/kubernetes"))
    expect(page).toContain(`(/kubernetes/${file})`);
});

test("on a bare system the proof of Kubernetes names the command that builds each of its programs", () => {
  const script = "test/real/kubernetes/build-programs.sh";
  const built = readFileSync(script, "utf8");
  expect(() => findKubernetes({ ...process.env, KUBERNETES_PROGRAMS: "/nowhere" })).toThrow(
    `${builtPrograms.join(", ")}, charts. They`,
  );
  expect(() => findKubernetes({ ...process.env, KUBERNETES_PROGRAMS: "/nowhere" })).toThrow(script);
  for (const program of builtPrograms)
    expect(built, program).toMatch(new RegExp(`[/ ]${program}["@; ]`));
});
