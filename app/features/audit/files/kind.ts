import { isValueMap, type ValueMap } from "./configuration.ts";

/** What a file configures. */
export type Kind = YamlKind | PlainKind;
type YamlKind = "livekit" | "egress" | "ingress" | "sip" | "compose" | "helm" | "caddy" | "traefik";
type PlainKind = "caddyfile" | "nginx" | "redis" | "sysctl";

export const kindWords: Readonly<Record<Kind, string>> = {
  livekit: "LiveKit",
  egress: "Egress",
  ingress: "Ingress",
  sip: "SIP",
  compose: "Docker Compose",
  helm: "Helm values",
  caddy: "Caddy",
  traefik: "Traefik",
  caddyfile: "Caddyfile",
  nginx: "nginx",
  redis: "Redis",
  sysctl: "sysctl",
};

/** The kinds that are no YAML, by what only they have. */
const plainSigns: readonly (readonly [PlainKind, RegExp])[] = [
  ["nginx", /^[ \t]*(proxy_pass|listen|server_name|ssl_preread)\s[^\n]*;/m],
  ["caddyfile", /^[ \t]*reverse_proxy\s/m],
  [
    "redis",
    /^[ \t]*(protected-mode|requirepass|appendonly|dbfilename|tcp-keepalive|maxmemory-policy|bind \S)/m,
  ],
  ["sysctl", /^[ \t]*(net|vm|fs|kernel)\.[\w.]+\s*=/m],
];

/** The kind of a text that is no YAML; undefined for YAML and for what we do not know. */
export function plainKindOf(text: string): PlainKind | undefined {
  return plainSigns.find(([, sign]) => sign.test(text))?.[0];
}

const has = (value: ValueMap, ...keys: string[]): boolean =>
  keys.some((key) => Object.hasOwn(value, key));

/** By its content first: people rename files, and several of them have the same keys. */
export function yamlKindOf(value: ValueMap, name: string): YamlKind | undefined {
  if (isValueMap(value.services)) return "compose";
  if (isValueMap(value.apps) && has(value.apps, "layer4", "http", "tls")) return "caddy";
  if (has(value, "entryPoints") || (has(value, "http", "tcp") && routers(value))) return "traefik";
  if (isValueMap(value.livekit)) return "helm";
  const inName = (["egress", "ingress", "sip"] as const).find((each) =>
    name.toLowerCase().includes(each),
  );
  if (has(value, "sip_port", "rtp_port", "sip_hostname", "hide_inbound_port", "nat_1_to_1_ip"))
    return "sip";
  if (has(value, "rtmp_port", "whip_port", "rtc_config", "http_relay_port")) return "ingress";
  if (has(value, "rtc", "keys", "key_file", "turn", "room", "node_selector", "bind_addresses"))
    return "livekit";
  if (has(value, "template_base", "template_port", "storage", "enable_chrome_sandbox", "insecure"))
    return "egress";
  if (has(value, "api_key", "api_secret", "ws_url", "redis") && inName) return inName;
  if (has(value, "ws_url", "cpu_cost", "session_limits", "s3", "gcp", "azure")) return "egress";
  return /livekit|config/i.test(name) && has(value, "port", "logging", "redis", "webhook")
    ? "livekit"
    : undefined;
}

const routers = ({ http, tcp }: ValueMap): boolean =>
  [http, tcp].some((each) => isValueMap(each) && has(each, "routers", "services"));
