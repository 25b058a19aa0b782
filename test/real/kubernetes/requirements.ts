import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";
import { findProgram } from "../call/requirements.ts";

/** What build-programs.sh builds. */
export const builtPrograms = [
  "etcd",
  "helm",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubectl",
] as const;

export type KubernetesProgram = (typeof builtPrograms)[number];

/** The folder that the environment names, whether it is there or not. */
const programsFolder = (environment = process.env): string => environment.KUBERNETES_PROGRAMS ?? "";

export const kubernetesProgram = (name: KubernetesProgram): string => join(programsFolder(), name);

/** LiveKit's charts, as the page has readers clone them. */
export const chartsFolder = (): string => join(programsFolder(), "charts");

/** Looks for everything that the proof needs. Throws sentences that say what is missing and how to get it. */
export function findKubernetes(environment = process.env): void {
  const folder = programsFolder(environment);
  const missing: string[] = builtPrograms.filter((name) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return false;
    } catch {
      return true;
    }
  });
  if (!existsSync(join(folder, "charts", "livekit-server", "Chart.yaml"))) missing.push("charts");
  if (missing.length > 0)
    throw new PlainFailure(
      `Not found: ${missing.join(", ")}. They are built with Go 1.26 into the folder that KUBERNETES_PROGRAMS names:\n  export KUBERNETES_PROGRAMS=$HOME/kubernetes-programs && sh test/real/kubernetes/build-programs.sh`,
    );
  findProgram("livekit-server", environment);
  findProgram("redis-server", environment);
}
