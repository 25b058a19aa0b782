/**
 * The kustomization as the page has it, and as it tells readers on two clouds to change it, each as a change of its
 * text. What is not found is refused.
 */
export const kubernetesVariants = {
  any: (text) => text,
  eks: (text) => without(beside(text, "eks-values.yaml"), "  - addresses.yaml\n"),
  gke: (text) =>
    `${without(beside(text, "gke-values.yaml"), "  - addresses.yaml\n")}  - path: gke-patch.yaml\n    target: { kind: Ingress, name: livekit-server }\n`,
} satisfies Readonly<Record<string, (text: string) => string>>;

export type KubernetesVariant = keyof typeof kubernetesVariants;

const beside = (text: string, values: string) =>
  changed(
    text,
    "    valuesFile: server-values.yaml\n",
    `    valuesFile: server-values.yaml\n    additionalValuesFiles: [${values}]\n`,
  );

const without = (text: string, line: string) => changed(text, line, "");

function changed(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`There is no "${from.trim()}"`);
  return text.replace(from, to);
}
