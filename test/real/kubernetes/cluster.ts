import { spawnSync } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { pollUntil } from "../../support/site/poll.ts";
import { type Program, startProgram } from "../media/world/program.ts";
import { type KubernetesProgram, kubernetesProgram } from "./requirements.ts";

const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);

const pods = z.object({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({
        name: z.string(),
        labels: z.record(z.string(), z.string()),
        deletionTimestamp: z.string().optional(),
      }),
      spec: z.looseObject({
        nodeName: z.string().optional(),
        containers: z.array(z.looseObject({ image: z.string() })),
      }),
      status: z.looseObject({
        phase: z.string(),
        conditions: z
          .array(
            z.looseObject({
              type: z.string(),
              reason: z.string().optional(),
              message: z.string().optional(),
            }),
          )
          .optional(),
      }),
    }),
  ),
});
type Pod = z.infer<typeof pods>["items"][number];

/**
 * Kubernetes without machines: its API with etcd, and with `plan` what makes pods and plans them. Nodes are entries alone,
 * and `runPods` says of each pod what its node would: that it runs, or that it has ended.
 */
export async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), "cluster-"));
  const inside = (name: string) => join(folder, name);
  const [etcd, peer, api] = [portBase + 20, portBase + 21, portBase + 22];
  const token = randomBytes(16).toString("hex");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  writeFileSync(inside("accounts.key"), privateKey, { mode: 0o600 });
  writeFileSync(inside("tokens.csv"), `${token},proof,proof,system:masters\n`, { mode: 0o600 });
  writeFileSync(
    inside("kubeconfig"),
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name: "proof",
          cluster: { server: `https://127.0.0.1:${api}`, "insecure-skip-tls-verify": true },
        },
      ],
      users: [{ name: "proof", user: { token } }],
      contexts: [{ name: "proof", context: { cluster: "proof", user: "proof" } }],
      "current-context": "proof",
    }),
    { mode: 0o600 },
  );
  const programs: Program[] = [];
  const start = async (name: KubernetesProgram, words: readonly string[], ready: RegExp) => {
    programs.push(await startProgram([kubernetesProgram(name), ...words], ready));
  };
  const kubectl = (words: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(
      kubernetesProgram("kubectl"),
      ["--kubeconfig", inside("kubeconfig"), "--cache-dir", inside("cache"), ...words],
      { encoding: "utf8", input, maxBuffer: 64 * 1024 * 1024 },
    );
    return { status, stdout, stderr };
  };
  const must = (words: readonly string[], input = "") => {
    const { status, stdout, stderr } = kubectl(words, input);
    if (status !== 0) throw new Error(`kubectl ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  const stop = async () => {
    for (const program of programs.toReversed()) await program[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  };
  try {
    await start(
      "etcd",
      [
        ...["--data-dir", inside("etcd"), "--unsafe-no-fsync"],
        ...["--listen-client-urls", `http://127.0.0.1:${etcd}`],
        ...["--advertise-client-urls", `http://127.0.0.1:${etcd}`],
        ...["--listen-peer-urls", `http://127.0.0.1:${peer}`],
      ],
      /ready to serve client requests/,
    );
    await start(
      "kube-apiserver",
      [
        `--etcd-servers=http://127.0.0.1:${etcd}`,
        ...[
          "--bind-address=127.0.0.1",
          `--secure-port=${api}`,
          `--cert-dir=${inside("certificates")}`,
        ],
        ...[`--token-auth-file=${inside("tokens.csv")}`, "--authorization-mode=RBAC"],
        ...["--service-cluster-ip-range=10.96.0.0/16", "--service-account-issuer=https://proof"],
        `--service-account-key-file=${inside("accounts.key")}`,
        `--service-account-signing-key-file=${inside("accounts.key")}`,
      ],
      /Version: v/,
    );
    await pollUntil(
      () => kubectl(["get", "--raw", "/readyz"]).status,
      (status) => status === 0,
      180_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  const podsOf = (name: string): Pod[] =>
    pods
      .parse(JSON.parse(must(["get", "pods", "-A", "-o", "json"])))
      .items.filter(({ metadata }) => metadata.labels["app.kubernetes.io/name"] === name);
  return {
    kubectl,
    must,
    podsOf,
    /** What makes pods of Deployments, and plans them on nodes. */
    async plan() {
      await start(
        "kube-controller-manager",
        [
          ...[`--kubeconfig=${inside("kubeconfig")}`, "--leader-elect=false", "--secure-port=0"],
          // Not what watches over nodes: these send no signs of life.
          "--controllers=deployment-controller,replicaset-controller,serviceaccount-controller,namespace-controller",
        ],
        /Starting|Version: v/,
      );
      await start(
        "kube-scheduler",
        [`--kubeconfig=${inside("kubeconfig")}`, "--leader-elect=false", "--secure-port=0"],
        /Starting Kubernetes Scheduler/,
      );
    },
    addNode(name: string) {
      const quantity = { cpu: "8", memory: "16Gi", pods: "20" };
      must(
        ["create", "-f", "-"],
        JSON.stringify({
          apiVersion: "v1",
          kind: "Node",
          metadata: { name, labels: { livekit: "true" } },
        }),
      );
      must(
        ["patch", "node", name, "--subresource=status", "--type=merge", "-p"].concat(
          JSON.stringify({
            status: {
              capacity: quantity,
              allocatable: quantity,
              conditions: [{ type: "Ready", status: "True", reason: "KubeletReady" }],
            },
          }),
        ),
      );
      must(["taint", "node", name, "node.kubernetes.io/not-ready-"]);
    },
    /** One round of what nodes do with the pods of this name. */
    runPods(name: string) {
      for (const { metadata, spec, status } of podsOf(name)) {
        const of = ["-n", "livekit", metadata.name];
        if (metadata.deletionTimestamp)
          must(["delete", "pod", "--grace-period=0", "--force", ...of]);
        else if (spec.nodeName && status.phase !== "Running") {
          const now = new Date().toISOString();
          const ready = { type: "Ready", status: "True", lastTransitionTime: now };
          const patch = JSON.stringify({ status: { phase: "Running", conditions: [ready] } });
          must(["patch", "pod", ...of, "--subresource=status", "--type=merge", "-p", patch]);
        }
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}
