import { port } from "../../ports.ts";
import type { YamlMap } from "../../yaml.ts";

// What a customer's own app says of a call: docs/decisions/0079. It comes to the name of TURN, to which browsers speak no
// other HTTP: a connection that a browser keeps open for LiveKit's name would lead to LiveKit.

/** Where an app posts it. */
const evidencePath = "/call-evidence";

/** As much as the longest one of ours, with a token of 3 kB. */
const maxBytes = 4_096;
/** Of all addresses together, so that they never push LiveKit's own events out of the spool. evidence.py counts each. */
const maxInMinute = 300;

/**
 * Before the route to TURN, behind its TLS: what begins with our path is HTTP. A message of STUN begins with two bits of
 * zero, and has no fewer bytes than are looked at.
 */
export const evidenceRoute: YamlMap = {
  match: [{ regexp: { pattern: `^POST ${evidencePath} `, count: 20 } }],
  handle: [
    {
      handler: "proxy",
      proxy_protocol: "v2",
      upstreams: [{ dial: [`127.0.0.1:${port.callEvidence}`] }],
    },
  ],
};

/** The log of what comes, and the server that takes it. The file is the one of LiveKit's events. */
export function evidenceSpool(writer: YamlMap, encoder: YamlMap) {
  const name = "evidence";
  const access = `http.log.access.${name}`;
  return {
    access,
    logs: {
      [name]: {
        include: [access],
        // A duration in nanoseconds: Caddy takes no text here.
        sampling: { interval: 60_000_000_000, first: maxInMinute, thereafter: 1_000_000_000 },
        writer,
        encoder,
      },
    },
    servers: {
      [name]: {
        listen: [`127.0.0.1:${port.callEvidence}`],
        listener_wrappers: [{ wrapper: "proxy_protocol", allow: ["127.0.0.1/32"] }],
        automatic_https: { disable: true },
        logs: { default_logger_name: name },
        routes: [
          {
            match: [{ method: ["POST"], path: [evidencePath] }],
            handle: [
              { handler: "request_body", max_size: maxBytes },
              { handler: "vars", evidence: "{http.request.body}" },
              { handler: "log_append", key: "evidence", value: "evidence" },
              { handler: "log_append", key: "from", value: "{http.request.remote.host}" },
              {
                handler: "static_response",
                status_code: 204,
                headers: { "Access-Control-Allow-Origin": ["*"], Connection: ["close"] },
              },
            ],
          },
          { handle: [{ handler: "static_response", status_code: 404 }] },
        ],
      },
    },
  } satisfies { access: string; logs: YamlMap; servers: YamlMap };
}
