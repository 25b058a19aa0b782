import type { BundleFile } from "../bundle-types.ts";
import { hasEgress, hasMetrics, severalOf } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";
import { inOptLivekit } from "./installed.ts";
import { redisBlock } from "./livekit.ts";

/** Egress ignores keys that it does not know, so it would not report a typing error here. A test compares the keys. */
export function egress(options: DeploymentOptions): BundleFile[] {
  if (!hasEgress(options)) return [];
  const content = yamlDocument(
    {
      ws_url: signallingOf(options),
      template_port: port.egressTemplates,
      health_port: port.egressHealth,
      prometheus_port: hasMetrics(options) ? port.egressMetrics : undefined,
      logging: { json: true, level: "info" },
      storage: storageBlock(options),
      redis: redisBlock(options),
    },
    `Egress ${options.versions.egress}. Keys and passwords come from secrets.env.
Keep the redis block last: the container adds the password below it.`,
  );
  return [
    {
      path: "egress.yaml",
      content,
      language: "yaml",
      purpose: "Where recordings go.",
      installed: inOptLivekit("egress.yaml"),
    },
  ];
}

/**
 * Where recorders join rooms. Of several machines one that drains ends its LiveKit before its recordings of other machines'
 * rooms, and a recorder whose signalling does not come back ends its file: so they join as everybody does, and move on.
 */
function signallingOf(options: DeploymentOptions): string {
  return severalOf(options) ? `wss://${options.domain}` : `ws://127.0.0.1:${port.livekit}`;
}

/** Where recordings are uploaded to; undefined where they stay on the machine. Keys come from secrets.env or the machine's role. */
function storageBlock({ recording }: DeploymentOptions): YamlMap | undefined {
  if (recording.kind === "s3")
    return {
      s3: {
        region: recording.region,
        bucket: recording.bucket,
        endpoint: recording.endpoint,
        force_path_style: recording.forcePathStyle ? true : undefined,
      },
    };
  return recording.kind === "gcs" ? { gcp: { bucket: recording.bucket } } : undefined;
}
