import { isOn, listAt, mapAt, numberAt, textAt, valueAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { at, inEach } from "./find.ts";
import { docs } from "./sources.ts";

export const helmRules: readonly Rule[] = [
  {
    code: "helm.redis.missing",
    fault: "wrong",
    severity: "critical",
    title: "Several servers do not know of each other",
    reason: "Without Redis people of one room end on different servers, and each is alone there.",
    source: docs.distributed,
    find: inEach("helm", (part) => {
      const several =
        (numberAt(part, "replicaCount") ?? 1) > 1 || isOn(part, "autoscaling", "enabled");
      return several && Object.keys(mapAt(part, "livekit", "redis")).length === 0
        ? at(part, ["livekit", "redis"], "livekit:\n  redis:\n    address: redis-master:6379")
        : undefined;
    }),
  },
  {
    code: "helm.network",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit's pod is not on the node's network",
    reason:
      "Media needs the node's own ports. A pod's address is reached by nobody outside the cluster.",
    source: docs.kubernetes,
    find: inEach("helm", (part) =>
      valueAt(part, "podHostNetwork") === false
        ? at(part, ["podHostNetwork"], "podHostNetwork: true")
        : undefined,
    ),
  },
  {
    code: "helm.grace.short",
    fault: "wrong",
    severity: "warning",
    title: "Pods have little time to end calls",
    reason:
      "At each update the calls of a pod end after this time. The chart gives them five hours.",
    source: docs.kubernetes,
    find: inEach("helm", (part) => {
      const seconds = numberAt(part, "terminationGracePeriodSeconds");
      return seconds !== undefined && seconds < 600
        ? at(
            part,
            ["terminationGracePeriodSeconds"],
            "terminationGracePeriodSeconds: 18000",
            `${seconds} s`,
          )
        : undefined;
    }),
  },
  {
    code: "helm.tls.missing",
    fault: "wrong",
    severity: "critical",
    title: "The load balancer of the chart has no TLS",
    reason: "Browsers connect by wss: alone, and give no camera to a page without HTTPS.",
    source: docs.kubernetes,
    find: inEach("helm", (part) => {
      const type = textAt(part, "loadBalancer", "type");
      const tls = listAt(part, "loadBalancer", "tls");
      return type &&
        !["disable", "gke-managed-cert", "gke-native-vpc"].includes(type) &&
        tls.length === 0
        ? at(
            part,
            ["loadBalancer"],
            "loadBalancer:\n  tls:\n    - hosts:\n        - livekit.example.com\n      secretName: livekit-tls",
          )
        : undefined;
    }),
  },
];
