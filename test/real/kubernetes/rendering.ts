import { spawnSync } from "node:child_process";
import { cpSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { objectsIn } from "../../support/kubernetes/objects.ts";
import { type KubernetesVariant, kubernetesVariants } from "../../support/kubernetes/variants.ts";
import { chartsFolder, kubernetesProgram } from "./requirements.ts";

/** What the files of the site make of LiveKit's charts, as a reader has them made. */
export function rendered(variant: KubernetesVariant): string {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kubernetes-"));
  cpSync("public/kubernetes", folder.path, { recursive: true });
  symlinkSync(chartsFolder(), join(folder.path, "charts"));
  const file = join(folder.path, "kustomization.yaml");
  writeFileSync(file, kubernetesVariants[variant](readFileSync(file, "utf8")));
  const words = ["kustomize", "--enable-helm", "--helm-command", kubernetesProgram("helm")];
  const { status, stdout, stderr } = spawnSync(
    kubernetesProgram("kubectl"),
    [...words, folder.path],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** What Helm makes of one of LiveKit's charts without our files. */
export function chartAlone(name: string, words: readonly string[]): string {
  const chart = join(chartsFolder(), name);
  const { status, stdout, stderr } = spawnSync(
    kubernetesProgram("helm"),
    ["template", name, chart, "--skip-tests", ...words],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** All objects as one, without the kind that Google alone has. */
export const listOf = (text: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "List",
    items: objectsIn(text).filter(({ kind }) => kind !== "BackendConfig"),
  });
