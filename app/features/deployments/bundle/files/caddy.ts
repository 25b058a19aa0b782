import type { BundleFile, Connection } from "../bundle-types.ts";
import {
  balancedOf,
  clusterOf,
  getsCertificates,
  hasFamily,
  hasInsights,
  publicNames,
  sendsSessions,
  turnOf,
} from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";
import { port } from "../ports.ts";
import { type YamlMap, yamlDocument } from "../yaml.ts";
import { evidenceRoute, evidenceSpool } from "./connection/call-evidence.ts";
import { inOptLivekit } from "./installed.ts";

/** Stands for each machine of a cluster: the edge repeats the upstream that has it, once for each. */
const node = "node";

/**
 * The addresses of LiveKit behind Caddy. They are numbers, because "localhost" may be IPv4 or IPv6: LiveKit gives a client
 * of TURN a relay in the address family of the connection, and fails when the machine does not have that family.
 */
function upstreamsOf(options: DeploymentOptions) {
  if (clusterOf(options))
    return { livekit: `${node}:${port.livekit}`, turn: `${node}:${port.turnTls}`, whip: "" };
  const turn = hasFamily(options, "ipv4") ? "127.0.0.1" : "[::1]";
  return {
    livekit: `127.0.0.1:${hasInsights(options) ? port.livekitFront : port.livekit}`,
    turn: `${turn}:${port.turnTls}`,
    whip: `127.0.0.1:${port.whip}`,
  };
}

/**
 * Among the machines of a cluster a connection goes to the one that has fewest. One that does not answer gets none from
 * two seconds later on. Whichever it is: LiveKit passes signalling on to the machine of the room, and any TURN server relays.
 */
const balancing = {
  load_balancing: {
    selection: { policy: "least_conn" },
    try_duration: "5s",
    try_interval: "250ms",
  },
  health_checks: { active: { interval: "2s", timeout: "2s" } },
} satisfies YamlMap;

/**
 * Let's Encrypt, and where it gives no certificate ZeroSSL. For that Caddy gets the key of an account by itself, with the
 * email address. Both ask the machine in the same ways.
 */
function issuersOf({ email, proxy }: DeploymentOptions): YamlMap[] {
  const challenges =
    proxy === "existing"
      ? {
          bind_host: "127.0.0.1",
          http: { alternate_port: port.proxiedHttp },
          "tls-alpn": { alternate_port: port.proxiedHttps },
        }
      : undefined;
  return [
    { module: "acme", email, challenges },
    { module: "acme", ca: "https://acme.zerossl.com/v2/DV90", email, challenges },
  ];
}

/**
 * LiveKit's webhooks wait in a log of Caddy's that rolls: LiveKit itself forgets what nobody takes within 15 seconds.
 * sessions.py reads it. Larger bodies than metadata of a room and of a participant can be are cut, and so are not signed.
 * From 2.11 on `log_append` writes the placeholder of the body twice, before and after the answer: a variable it writes once.
 */
function sessionSpool(address: string, evidenceTaken: boolean) {
  const name = "events";
  const access = `http.log.access.${name}`;
  const dropped = ["request", "resp_headers", "user_id", "duration"];
  const writer = {
    output: "file",
    filename: "/sessions/events.log",
    roll_size_mb: 10,
    roll_keep: 5,
    roll_gzip: false,
    mode: "0600",
  };
  const encoder = {
    format: "filter",
    wrap: { format: "json", time_format: "unix_milli_float" },
    fields: Object.fromEntries(dropped.map((field) => [field, { filter: "delete" }])),
  };
  const evidence = evidenceTaken ? evidenceSpool(writer, encoder) : undefined;
  return {
    exclusion: { exclude: [access, ...(evidence ? [evidence.access] : [])] },
    logs: { [name]: { include: [access], writer, encoder }, ...evidence?.logs },
    servers: {
      ...evidence?.servers,
      [name]: {
        listen: [`${address}:${port.sessionEvents}`],
        automatic_https: { disable: true },
        logs: { default_logger_name: name },
        routes: [
          {
            match: [{ method: ["POST"], path: ["/events"] }],
            handle: [
              { handler: "request_body", max_size: 262_144 },
              { handler: "vars", event: "{http.request.body}" },
              { handler: "log_append", key: "event", value: "event" },
              { handler: "log_append", key: "jwt", value: "{http.request.header.Authorization}" },
              { handler: "static_response", status_code: 200 },
            ],
          },
          { handle: [{ handler: "static_response", status_code: 404 }] },
        ],
      },
    },
  } satisfies { exclusion: YamlMap; logs: YamlMap; servers: YamlMap };
}

/**
 * Agents send to LiveKit's name, on connections on which they ask LiveKit other things too, so that Caddy has to read each
 * request. Without agent insights it passes bytes on.
 */
function insightsFront(options: DeploymentOptions): YamlMap | undefined {
  if (!hasInsights(options)) return;
  const to = (target: number) => ({
    handler: "reverse_proxy",
    upstreams: [{ dial: `127.0.0.1:${target}` }],
    flush_interval: -1,
  });
  // The receiver is away for some seconds when its key or its limits change. With these words the SDKs stop quietly: also
  // where its files are not there yet, which a machine without a console gets by apply.
  const away = { load_balancing: { try_duration: "8s", try_interval: "250ms" } };
  const disabled = {
    handler: "static_response",
    status_code: 401,
    body: "data recording is disabled",
  };
  return {
    front: {
      listen: [`127.0.0.1:${port.livekitFront}`],
      automatic_https: { disable: true },
      routes: [
        {
          match: [{ path: ["/observability/*"] }],
          handle: [{ ...to(port.insights), ...away }],
          terminal: true,
        },
        { handle: [to(port.livekit)] },
      ],
      errors: { routes: [{ match: [{ path: ["/observability/*"] }], handle: [disabled] }] },
    },
  };
}

/**
 * What the balancer asks. A machine gets connections while its Caddy and its LiveKit answer, until a drain begins. LiveKit says
 * 406 when it does not reach Redis, as all machines do then: their calls go on, so it counts as well.
 */
function balancerCheck(options: DeploymentOptions): YamlMap | undefined {
  if (!balancedOf(options)) return;
  const answer = (status: number) => ({ handler: "static_response", status_code: status });
  const livekit = {
    handler: "reverse_proxy",
    upstreams: [{ dial: `127.0.0.1:${port.livekit}` }],
    handle_response: [{ match: { status_code: [406] }, routes: [{ handle: [answer(200)] }] }],
  };
  const drains = [{ file: { root: "/etc/balancer", try_files: ["draining"] } }];
  return {
    check: {
      listen: [`:${port.balancerCheck}`],
      automatic_https: { disable: true },
      routes: [
        { match: drains, handle: [answer(503)], terminal: true },
        { match: [{ method: ["GET"], path: ["/"] }], handle: [livekit], terminal: true },
        { handle: [answer(404)] },
      ],
    },
  };
}

/**
 * Caddy with its layer 4 module, which routes a connection on 443 by the name in its TLS handshake (SNI).
 * Its YAML adapter runs templates between `#{` and `}`, so no option may hold that sequence.
 */
export function caddy(options: DeploymentOptions, connection?: Connection): BundleFile[] {
  const spool = sendsSessions(options, connection)
    ? sessionSpool(clusterOf(options) ? "{env.PRIVATE_ADDRESS}" : "127.0.0.1", turnOf(options).tls)
    : undefined;
  const front = insightsFront(options);
  const check = balancerCheck(options);
  const servers = spool || front || check ? { ...spool?.servers, ...front, ...check } : undefined;
  const names = publicNames(options);
  const upstreams = upstreamsOf(options);
  const behindProxy = options.proxy === "existing";
  const routes = (["livekit", "turn", "whip"] as const).flatMap((service) => {
    const sni = names.filter((name) => name.service === service).map(({ name }) => name);
    if (sni.length === 0) return [];
    const takesEvidence = service === "turn" && spool !== undefined;
    const http = service !== "turn" || takesEvidence;
    const proxy = {
      handler: "proxy",
      upstreams: [{ dial: [upstreams[service]] }],
      ...(clusterOf(options) ? balancing : {}),
    };
    return [
      {
        match: [{ tls: { sni } }],
        handle: [
          // Caddy passes bytes on to an HTTP/1.1 server without reading them, so it must not offer HTTP/2. It does by itself.
          { handler: "tls", connection_policies: http ? [{ alpn: ["http/1.1"] }] : undefined },
          takesEvidence
            ? { handler: "subroute", routes: [evidenceRoute, { handle: [proxy] }] }
            : proxy,
        ],
      },
    ];
  });
  const content = yamlDocument({
    admin: { disabled: true },
    logging: { logs: { default: { level: "INFO", ...spool?.exclusion }, ...spool?.logs } },
    storage: { module: "file_system", root: "/data" },
    apps: {
      http: servers ? { servers } : undefined,
      tls: getsCertificates(options)
        ? {
            certificates: { automate: names.map(({ name }) => name) },
            automation: { policies: [{ issuers: issuersOf(options) }] },
          }
        : { certificates: { load_folders: ["/data/given"] } },
      layer4: {
        servers: {
          main: {
            listen: [behindProxy ? `127.0.0.1:${port.proxiedHttps}` : `:${port.https}`],
            routes,
          },
        },
      },
    },
  });
  return [
    {
      path: "caddy.yaml",
      content,
      language: "yaml",
      purpose: "Certificates, and who answers to which name on port 443.",
      installed: inOptLivekit("caddy.yaml"),
    },
  ];
}
