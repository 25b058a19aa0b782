/** What our files and LiveKit's charts make, by what Kubernetes' description of its API calls it. */
export const kubernetesKinds: Readonly<Record<string, string>> = {
  "v1 ConfigMap": "io.k8s.api.core.v1.ConfigMap",
  "v1 Namespace": "io.k8s.api.core.v1.Namespace",
  "v1 Service": "io.k8s.api.core.v1.Service",
  "v1 ServiceAccount": "io.k8s.api.core.v1.ServiceAccount",
  "apps/v1 Deployment": "io.k8s.api.apps.v1.Deployment",
  "networking.k8s.io/v1 Ingress": "io.k8s.api.networking.v1.Ingress",
  "policy/v1 PodDisruptionBudget": "io.k8s.api.policy.v1.PodDisruptionBudget",
};
