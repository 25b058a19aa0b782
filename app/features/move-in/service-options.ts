import type { ComposeService, Role } from "~/features/audit/compose-service.ts";
import { isOn, numberAt, textAt, valueAt } from "~/features/audit/files/configuration.ts";
import { type Part, type Setup, servicesAs } from "~/features/audit/setup.ts";
import {
  addMapping,
  addUnmapped,
  type Collected,
  leavesOf,
  originOf,
  settingOf,
} from "./collected.ts";

/** How the services beside LiveKit find it, and say how they are: the bundle writes all of that itself. */
const wiring =
  /^(api_key|api_secret|ws_url|redis\b.*|health_port|prometheus_port|log_level|logging\b.*|template_port|http_relay_port|debug_handler_port)$/;

const secretKey = /secret|password|access_key|account_key|credentials|session_token/;

/** What a secret is, in the words that LiveKit's own have. */
function secretWords(setting: string): string {
  if (setting === "api_secret") return "The secret of an API key";
  return setting === "redis.password" ? "The password of Redis" : "A credential";
}

/** Takes over what runs beside LiveKit: Egress, Ingress and SIP. */
export function mapServices(into: Collected, setup: Setup, livekit: Part | undefined): void {
  mapEgress(into, setup);
  mapIngress(into, setup, livekit);
  mapSip(into, setup);
  for (const service of setup.services)
    if (service.role === undefined) addOtherService(into, service);
}

/** The configuration of a service, or the service of Compose that stands for one. */
function partFor(setup: Setup, kind: "egress" | "ingress" | "sip"): Part | undefined {
  const [service] = servicesAs(setup, kind satisfies Role);
  return setup[kind][0] ?? (service && { file: service.file, ...service.at });
}

/** What is in a service's file and has no option. */
function addUnmappedOthers(into: Collected, part: Part, handled: RegExp): void {
  for (const [path] of leavesOf(part.value)) {
    const setting = settingOf(path);
    if (secretKey.test(setting)) {
      into.secrets.push({ ...originOf(part, path), setting, reason: secretWords(setting) });
    } else if (!wiring.test(setting) && !handled.test(setting)) {
      addUnmapped(into, part, path, "There is no such option: the service's own default holds.");
    }
  }
}

function mapEgress(into: Collected, setup: Setup): void {
  const part = partFor(setup, "egress");
  if (!part) return;
  const [file] = setup.egress;
  const at = (kind: string) =>
    valueAt(part, "storage", kind) === undefined
      ? valueAt(part, kind) === undefined
        ? undefined
        : [kind]
      : ["storage", kind];
  const [s3, gcp] = [at("s3"), at("gcp")];
  const other = at("azure") ?? at("alioss");
  if (s3) {
    const text = (key: string) => textAt(part, ...s3, key);
    const endpoint = text("endpoint");
    addMapping(into, part, s3, "recording", {
      ...{ kind: "s3", bucket: text("bucket") ?? "", region: text("region") ?? "" },
      ...(endpoint ? { endpoint } : {}),
      forcePathStyle: isOn(part, ...s3, "force_path_style"),
    });
  } else if (gcp) {
    const bucket = textAt(part, ...gcp, "bucket") ?? "";
    addMapping(into, part, gcp, "recording", { kind: "gcs", bucket });
  } else {
    if (other)
      addUnmapped(
        into,
        part,
        other,
        "Recordings go to a bucket of S3's kind, Google Cloud or the disk.",
      );
    addMapping(into, part, [], "recording", { kind: "local" }, "Egress runs");
  }
  if (file)
    addUnmappedOthers(
      into,
      file,
      /(^|\.)(s3|gcp|azure|alioss)\.(bucket|region|endpoint|force_path_style|container_name|account_name)$/,
    );
}

function mapIngress(into: Collected, setup: Setup, livekit: Part | undefined): void {
  const rtmp = livekit && textAt(livekit, "ingress", "rtmp_base_url");
  const whip = livekit && textAt(livekit, "ingress", "whip_base_url");
  const part = partFor(setup, "ingress");
  if (!part && !rtmp && !whip) return;
  const [file] = setup.ingress;
  if (file) addUnmappedOthers(into, file, /^(rtmp_port|whip_port|rtc_config\..*)$/);
  const takesRtmp = rtmp !== undefined || (file && (numberAt(file, "rtmp_port") ?? 0) > 0);
  const takesWhip = whip !== undefined || (file && (numberAt(file, "whip_port") ?? 0) > 0);
  const kind = takesRtmp && takesWhip ? "both" : takesWhip ? "webrtc" : "rtmp";
  const from = part ?? livekit;
  if (!from) return;
  const named = ["ingress", rtmp === undefined ? "whip_base_url" : "rtmp_base_url"];
  addMapping(into, from, part ? [] : named, "ingress", kind, part ? "Ingress runs" : undefined);
  const [, host] = /^https:\/\/([^/:?#]+)/.exec(whip ?? "") ?? [];
  if (livekit && host) addMapping(into, livekit, ["ingress", "whip_base_url"], "whipDomain", host);
}

function mapSip(into: Collected, setup: Setup): void {
  const part = partFor(setup, "sip");
  if (!part) return;
  addMapping(into, part, [], "sip", { kind: "on", sources: [] }, "SIP runs");
  const [file] = setup.sip;
  if (file) addUnmappedOthers(into, file, /^(sip_port|rtp_port|use_external_ip)$/);
}

function addOtherService(into: Collected, { file, at, name }: ComposeService): void {
  into.unmapped.push({
    ...{ file, line: at.lineOf([]), setting: `services.${name}` },
    reason: "It is none of LiveKit's, and stays where it is.",
  });
}
