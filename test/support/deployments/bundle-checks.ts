import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { Ajv } from "ajv";
import { parse } from "yaml";
import type { Bundle } from "~/features/deployments/bundle/bundle-types.ts";
import cloudConfigSchema from "../schemas/cloud-config.json" with { type: "json" };
import composeSpec from "../schemas/compose-spec.json" with { type: "json" };
import configurationKeys from "./configuration-keys.json" with { type: "json" };

type Tree = { readonly [key: string]: unknown };

const documents = new Map<string, unknown>();

/** What a YAML 1.2 parser reads. Combinations share most of their texts, and each is read once. */
export function read(text: string): unknown {
  if (!documents.has(text)) documents.set(text, parse(text, { version: "1.2" }));
  return documents.get(text);
}

/** The text of a bundle's file; "" when it has no such file. */
export function textOf({ files }: Bundle, path: string): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

type Written = { path: string; content: string; permissions?: string; encoding?: string };

/** What a cloud-config writes onto the machine, unpacked where it is compressed. */
export function writtenFiles(cloudConfig: string): Written[] {
  const files = at(read(cloudConfig), "write_files");
  return (Array.isArray(files) ? files : []).map((file: Written) =>
    file.encoding === "gz+b64"
      ? { ...file, content: gunzipSync(Buffer.from(file.content, "base64")).toString() }
      : file,
  );
}

/** Answers what YAML 1.2 and YAML 1.1, which cloud-init reads, understand differently in a text. */
export function yamlProblems(text: string): string[] {
  try {
    const newer = read(text);
    return isDeepStrictEqual(newer, parse(text, { version: "1.1" }))
      ? []
      : ["YAML 1.1 and 1.2 read this differently"];
  } catch (error) {
    return [String(error)];
  }
}

const compose = new Ajv({ strict: false, allErrors: true }).compile({
  ...composeSpec,
  $schema: "http://json-schema.org/draft-07/schema#",
});

/** Against the Compose Specification's own schema. */
export function composeProblems(text: string): string[] {
  compose(read(text));
  return (compose.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const cloudConfig = new Ajv({ strict: false, allErrors: true, logger: false }).compile({
  ...cloudConfigSchema,
  $schema: "http://json-schema.org/draft-07/schema#",
});

/** Against cloud-init's own schema, which of version 26 refuses unknown keys. */
export function cloudConfigProblems(text: string): string[] {
  cloudConfig(read(text));
  return (cloudConfig.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
}

/** Keys that this version of LiveKit, Egress, Ingress or SIP would not know. */
export function unknownKeys(
  program: "livekit" | "egress" | "ingress" | "sip",
  version: string,
  text: string,
): string[] {
  const keys: Readonly<Record<string, string>> = configurationKeys[program].keys;
  return keysOf(read(text)).filter((key) => {
    const [since, until] = keys[key]?.split("..") ?? [];
    if (since === undefined) return true;
    return before(version, since) || (until !== undefined && before(until, version));
  });
}

/** Every key as a path; the members of a list share the path of the list. */
function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => keysOf(inner, path));
  if (!isTree(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = path === "" ? key : `${path}.${key}`;
    return [here, ...keysOf(inner, here)];
  });
}

function before(one: string, other: string): boolean {
  const numbers = (version: string) => version.replace(/^v/, "").split(".").map(Number);
  const theirs = numbers(other);
  for (const [index, number] of numbers(one).entries())
    if (number !== (theirs[index] ?? 0)) return number < (theirs[index] ?? 0);
  return false;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path such as `apps.layer4.servers.main`; undefined when there is none. */
export function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
      value,
    );
}

/** Of each log of Caddy. */
const logKeys = [
  "include",
  "sampling.interval",
  "sampling.first",
  "sampling.thereafter",
  "writer.output",
  "writer.filename",
  "writer.roll_size_mb",
  "writer.roll_keep",
  "writer.roll_gzip",
  "writer.mode",
  "encoder.format",
  "encoder.wrap.format",
  "encoder.wrap.time_format",
  "encoder.wrap.level_key",
  "encoder.wrap.name_key",
  "encoder.wrap.message_key",
  "encoder.fields.request.filter",
  "encoder.fields.resp_headers.filter",
  "encoder.fields.user_id.filter",
  "encoder.fields.duration.filter",
  "encoder.fields.bytes_read.filter",
  "encoder.fields.size.filter",
  "encoder.fields.status.filter",
  "encoder.fields.evidence.filter",
  "encoder.fields.from.filter",
];

/** Every key of ours that Caddy and its modules know. They refuse others, so a typing error would stop it. */
const caddyKeys = new Set(
  [
    ...["", "routes.handle."].flatMap((within) =>
      [
        "load_balancing.selection.policy",
        "load_balancing.try_duration",
        "load_balancing.try_interval",
        "health_checks.active.interval",
        "health_checks.active.timeout",
      ].map((key) => `apps.layer4.servers.main.routes.handle.${within}${key}`),
    ),
    "admin.disabled",
    "logging.logs.default.level",
    "logging.logs.default.exclude",
    ...["events", "evidence", "evidence_count"].flatMap((log) =>
      logKeys.map((key) => `logging.logs.${log}.${key}`),
    ),
    "storage.module",
    "storage.root",
    "apps.tls.certificates.automate",
    "apps.tls.certificates.load_folders",
    "apps.tls.automation.policies.issuers.module",
    "apps.tls.automation.policies.issuers.ca",
    "apps.tls.automation.policies.issuers.email",
    "apps.tls.automation.policies.issuers.challenges.bind_host",
    "apps.tls.automation.policies.issuers.challenges.http.alternate_port",
    "apps.tls.automation.policies.issuers.challenges.tls-alpn.alternate_port",
    "apps.http.servers.events.listen",
    "apps.http.servers.events.automatic_https.disable",
    "apps.http.servers.events.logs.default_logger_name",
    "apps.http.servers.events.routes.match.method",
    "apps.http.servers.events.routes.match.path",
    "apps.http.servers.events.routes.handle.handler",
    "apps.http.servers.events.routes.handle.max_size",
    "apps.http.servers.events.routes.handle.event",
    "apps.http.servers.events.routes.handle.key",
    "apps.http.servers.events.routes.handle.value",
    "apps.http.servers.events.routes.handle.status_code",
    "apps.http.servers.evidence.listen",
    "apps.http.servers.evidence.listener_wrappers.wrapper",
    "apps.http.servers.evidence.listener_wrappers.allow",
    "apps.http.servers.evidence.automatic_https.disable",
    "apps.http.servers.evidence.logs.default_logger_name",
    "apps.http.servers.evidence.routes.match.method",
    "apps.http.servers.evidence.routes.match.path",
    "apps.http.servers.evidence.routes.handle.handler",
    "apps.http.servers.evidence.routes.handle.max_size",
    "apps.http.servers.evidence.routes.handle.evidence",
    "apps.http.servers.evidence.routes.handle.key",
    "apps.http.servers.evidence.routes.handle.value",
    "apps.http.servers.evidence.routes.handle.status_code",
    "apps.http.servers.evidence.routes.handle.headers.Access-Control-Allow-Origin",
    "apps.http.servers.evidence.routes.handle.headers.Connection",
    "apps.http.servers.evidence.routes.handle.routes.match.vars_regexp.evidence.pattern",
    "apps.http.servers.evidence.routes.handle.routes.handle.handler",
    "apps.http.servers.evidence.routes.handle.routes.handle.key",
    "apps.http.servers.evidence.routes.handle.routes.handle.value",
    "apps.http.servers.evidence.routes.handle.routes.handle.status_code",
    "apps.http.servers.evidence.routes.handle.routes.handle.headers.Access-Control-Allow-Origin",
    "apps.http.servers.evidence.routes.handle.routes.handle.headers.Connection",
    "apps.http.servers.evidence.routes.handle.routes.handle.log_skip",
    "apps.http.servers.evidence.routes.handle.log_skip",
    "apps.layer4.servers.main.routes.handle.routes.match.regexp.pattern",
    "apps.layer4.servers.main.routes.handle.routes.match.regexp.count",
    "apps.layer4.servers.main.routes.handle.routes.handle.handler",
    "apps.layer4.servers.main.routes.handle.routes.handle.proxy_protocol",
    "apps.layer4.servers.main.routes.handle.routes.handle.upstreams.dial",
    "apps.http.servers.front.listen",
    "apps.http.servers.front.automatic_https.disable",
    "apps.http.servers.front.routes.match.path",
    "apps.http.servers.front.routes.terminal",
    "apps.http.servers.front.routes.handle.handler",
    "apps.http.servers.front.routes.handle.upstreams.dial",
    "apps.http.servers.front.routes.handle.flush_interval",
    "apps.http.servers.front.routes.handle.load_balancing.try_duration",
    "apps.http.servers.front.routes.handle.load_balancing.try_interval",
    "apps.http.servers.front.errors.routes.match.path",
    "apps.http.servers.front.errors.routes.handle.handler",
    "apps.http.servers.front.errors.routes.handle.status_code",
    "apps.http.servers.front.errors.routes.handle.body",
    "apps.http.servers.check.listen",
    "apps.http.servers.check.automatic_https.disable",
    "apps.http.servers.check.routes.match.file.root",
    "apps.http.servers.check.routes.match.file.try_files",
    "apps.http.servers.check.routes.match.method",
    "apps.http.servers.check.routes.match.path",
    "apps.http.servers.check.routes.terminal",
    "apps.http.servers.check.routes.handle.handler",
    "apps.http.servers.check.routes.handle.status_code",
    "apps.http.servers.check.routes.handle.upstreams.dial",
    "apps.http.servers.check.routes.handle.handle_response.match.status_code",
    "apps.http.servers.check.routes.handle.handle_response.routes.handle.handler",
    "apps.http.servers.check.routes.handle.handle_response.routes.handle.status_code",
    "apps.layer4.servers.main.listen",
    "apps.layer4.servers.main.routes.match.tls.sni",
    "apps.layer4.servers.main.routes.handle.handler",
    "apps.layer4.servers.main.routes.handle.connection_policies.alpn",
    "apps.layer4.servers.main.routes.handle.upstreams.dial",
  ].flatMap(withParents),
);

/** `a`, `a.b` and `a.b.c` for `a.b.c`. */
function withParents(key: string): string[] {
  const parts = key.split(".");
  return parts.map((_, last) => parts.slice(0, last + 1).join("."));
}

/** What keeps Caddy from starting or from answering: the shape that a Caddy with layer 4 has validated. */
export function caddyProblems(text: string): string[] {
  const config: unknown = read(text);
  const problems = keysOf(config).filter((key) => !caddyKeys.has(key));
  if (text.includes("#{")) problems.push("a template");
  if (at(config, "admin.disabled") !== true) problems.push("admin is on");
  const issuers = at(config, "apps.tls.automation.policies.0.issuers");
  for (const issuer of Array.isArray(issuers) ? issuers : [])
    if (!String(at(issuer, "email")).includes("@"))
      problems.push("no email for the certificate authority");
  const routes = at(config, "apps.layer4.servers.main.routes");
  const routed = new Map<string, string>();
  for (const route of Array.isArray(routes) ? routes : []) {
    const names = at(route, "match.0.tls.sni");
    // Before TURN an app's evidence of calls is taken out; what is none goes on to the last route.
    const hasEvidence = at(route, "handle.1.handler") === "subroute";
    const proxy = hasEvidence ? at(route, "handle.1.routes.1.handle.0") : at(route, "handle.1");
    const upstream = String(at(proxy, "upstreams.0.dial.0"));
    if (at(route, "handle.0.handler") !== "tls") problems.push("a route that does not end TLS");
    if (at(proxy, "handler") !== "proxy") problems.push("a route that leads nowhere");
    if (at(proxy, "upstreams.0.dial.1") !== undefined) problems.push("two upstreams");
    // Where the hosts file names ::1 "localhost", LiveKit answers TURN's Allocate from there with 508.
    // "node" stands for the addresses of a cluster's machines.
    if (!/^(127\.0\.0\.1:\d+|\[::1\]:5349|node:(7880|5349))$/.test(upstream))
      problems.push("an upstream that the hosts file may move");
    const alpn = at(route, "handle.0.connection_policies.0.alpn.0");
    const isHttp = hasEvidence || !upstream.endsWith(":5349");
    if (isHttp !== (alpn === "http/1.1")) problems.push("wrong ALPN");
    for (const name of Array.isArray(names) ? names : []) {
      if (routed.has(name)) problems.push(`${name} has two routes`);
      routed.set(name, upstream);
    }
  }
  const certified = at(config, "apps.tls.certificates.automate");
  // Certificates from a folder may have any names.
  const isGiven = isDeepStrictEqual(at(config, "apps.tls"), {
    certificates: { load_folders: ["/data/given"] },
  });
  if (
    !isGiven &&
    !isDeepStrictEqual(
      [...routed.keys()].sort(),
      Array.isArray(certified) ? [...certified].sort() : [],
    )
  )
    problems.push("names with a route and names with a certificate differ");
  return problems;
}

/** The public ports that the configuration files come to, in no order. */
function configuredPorts(file: (path: string) => string): Set<string> {
  const livekit: unknown = read(file("livekit.yaml"));
  const ingress: unknown = read(file("ingress.yaml") || "{}");
  const caddy: unknown = read(file("caddy.yaml"));
  const listen = String(at(caddy, "apps.layer4.servers.main.listen.0"));
  const open = new Set([
    ...(at(caddy, "apps.tls.certificates.automate") ? ["80/tcp"] : []),
    listen === "127.0.0.1:8443" ? "443/tcp" : `${listen.replace(":", "")}/tcp`,
    `${at(livekit, "rtc.tcp_port")}/tcp`,
    at(livekit, "rtc.udp_port") === undefined
      ? `${at(livekit, "rtc.port_range_start")}-${at(livekit, "rtc.port_range_end")}/udp`
      : `${at(livekit, "rtc.udp_port")}/udp`,
  ]);
  const add = (port: unknown, protocol: string) => {
    if (typeof port === "number" && port > 0) open.add(`${port}/${protocol}`);
  };
  add(at(livekit, "turn.udp_port"), "udp");
  const sip: unknown = read(file("sip.yaml") || "{}");
  if (at(sip, "rtp_port") !== undefined) open.add(`${at(sip, "rtp_port")}/udp`);
  for (const protocol of ["udp", "tcp"]) add(at(sip, "sip_port"), protocol);
  add(at(ingress, "rtmp_port"), "tcp");
  add(at(ingress, "rtc_config.udp_port"), "udp");
  return open;
}

/** Where the list of ports, the configuration and what the scripts read disagree. */
export function portProblems({ files, ports }: Bundle): string[] {
  const file = (path: string) => files.find((one) => one.path === path)?.content ?? "";
  const listed = ports.filter(({ audience }) => audience === "public");
  const sorted = (set: Iterable<string>) => [...set].sort().join(" ");
  const list = sorted(listed.map(({ ports: number, protocol }) => `${number}/${protocol}`));
  const scripts = (/^PUBLIC_PORTS='(.*)'$/m.exec(file("deployment.env"))?.[1] ?? "").split(",");
  return [
    ...(list === sorted(configuredPorts(file)) ? [] : ["the configuration has other ports"]),
    ...(list === sorted(scripts) ? [] : ["deployment.env has other ports"]),
  ];
}
