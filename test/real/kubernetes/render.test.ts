import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type KubernetesVariant, kubernetesVariants } from "../../support/kubernetes/variants.ts";
import { rendered } from "./rendering.ts";
import { chartsFolder } from "./requirements.ts";

const chartOf = (name: string) => {
  const { version } = parse(readFileSync(join(chartsFolder(), name, "Chart.yaml"), "utf8"));
  return `${name} ${version}`;
};

test.each(Object.keys(kubernetesVariants) as KubernetesVariant[])(
  "what Helm and kustomize make of LiveKit's charts and our files (%s) is what the tests know",
  async (variant) => {
    const charts = ["livekit-server", "egress", "ingress"].map(chartOf).join(", ");
    const file = `test/support/kubernetes/rendered/${variant}.yaml`;
    const objects = rendered(variant);
    const before = readFileSync(file, { encoding: "utf8", flag: "a+" });
    const [head = "", ...rest] = before.split("\n");
    const isSame = rest.join("\n") === objects && head.includes(`${charts}, `);
    const date = isSame ? head.slice(-10) : new Date().toISOString().slice(0, 10);
    await expect(`# Of LiveKit's charts ${charts}, ${date}\n${objects}`).toMatchFileSnapshot(
      `../../support/kubernetes/rendered/${variant}.yaml`,
    );
  },
);
