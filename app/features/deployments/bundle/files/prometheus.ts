import type { BundleFile } from "../bundle-types.ts";
import { hasEgress, hasIngress, hasMetrics, hasSip } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";

/** Advanced monitoring collects metrics. 24/7 monitoring also evaluates alert rules, which the doctor reads. */
export function prometheus(options: DeploymentOptions): BundleFile[] {
  if (!hasMetrics(options)) return [];
  const watched = options.monitoring === "24/7";
  const job = (name: string, number: number) => ({
    job_name: name,
    static_configs: [{ targets: [`127.0.0.1:${number}`] }],
  });
  const files: BundleFile[] = [
    {
      path: "prometheus.yaml",
      content: yamlDocument({
        global: { scrape_interval: "15s", evaluation_interval: "30s" },
        rule_files: watched ? ["/etc/prometheus/rules.yaml"] : undefined,
        scrape_configs: [
          job("livekit", port.livekitMetrics),
          ...(hasEgress(options) ? [job("egress", port.egressMetrics)] : []),
          ...(hasIngress(options) ? [job("ingress", port.ingressMetrics)] : []),
          ...(hasSip(options) ? [job("sip", port.sipMetrics)] : []),
          job("machine", port.nodeExporter),
        ],
      }),
      language: "yaml",
      purpose: "What is measured, every 15 seconds, kept for 15 days.",
      installed: inOptLivekit("prometheus.yaml"),
    },
  ];
  if (watched)
    files.push({
      path: "prometheus-rules.yaml",
      content: yamlDocument({ groups: [{ name: "livekit", rules: alertRules }] }),
      language: "yaml",
      purpose: "What counts as broken.",
      installed: inOptLivekit("prometheus-rules.yaml"),
    });
  return files;
}

const root = 'mountpoint="/",fstype!="rootfs"';

/** The alert rules. Their thresholds are those of the page about best practices on this site. */
const alertRules = [
  alert("ServiceDown", "up == 0", "2m", "{{ $labels.job }} does not answer"),
  alert(
    "DiskFull",
    `1 - node_filesystem_avail_bytes{${root}} / node_filesystem_size_bytes{${root}} > 0.85`,
    "5m",
    "The disk is more than 85 % full",
  ),
  alert(
    "ProcessorBusy",
    '1 - avg(rate(node_cpu_seconds_total{mode="idle"}[5m])) > 0.8',
    "10m",
    "The processor is more than 80 % busy",
  ),
  alert(
    "MemoryLow",
    "node_memory_MemAvailable_bytes / node_memory_MemTotal_bytes < 0.1",
    "10m",
    "Less than a tenth of the memory is free",
  ),
];

function alert(name: string, expr: string, wait: string, summary: string) {
  return { alert: name, expr, for: wait, labels: { severity: "page" }, annotations: { summary } };
}
