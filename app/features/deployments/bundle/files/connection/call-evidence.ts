import { port } from "../../ports.ts";
import type { YamlMap } from "../../yaml.ts";

// What a customer's own app says of a call: docs/decisions/0079. It comes to the name of TURN, to which browsers speak no
// other HTTP: a connection that a browser keeps open for LiveKit's name would lead to LiveKit.

/** Where an app posts it. */
const evidencePath = "/call-evidence";

/** As much as the longest one of ours, with a token of 3 kB. */
const maxBytes = 4_096;
/**
 * JSON by its shape: of what else somebody sends nothing is written. A byte takes two in the line at most, where a control
 * character and one that is no UTF-8 would take six.
 */
const shape = String.raw`^\s*\{[\t\n\r -~\x{a0}-\x{fffc}\x{10000}-\x{10ffff}]*\}\s*$`;
/** Of all addresses together: 2.5 MB at most. evidence.py counts each address. */
const maxInMinute = 300;
/** Of so many it is known how many came beyond those. */
const maxCountedInMinute = 10_000;

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

/**
 * The log of what comes, and the server that takes it. Its files are its own, so that nobody pushes LiveKit's events out:
 * at the most that is written they hold four minutes, and a report comes each minute.
 */
export function evidenceSpool(writer: YamlMap, encoder: YamlMap & { fields: YamlMap }) {
  const name = "evidence";
  const access = `http.log.access.${name}`;
  const files = { ...writer, filename: "/sessions/evidence.log", roll_size_mb: 5, roll_keep: 2 };
  const noKeys = { level_key: "", name_key: "", message_key: "" };
  const dropped = ["bytes_read", "size", "status", "evidence", "from"];
  const log = (first: number, more: YamlMap = {}) => ({
    include: [access],
    // A duration in nanoseconds: Caddy takes no text here.
    sampling: { interval: 60_000_000_000, first, thereafter: 1_000_000_000 },
    writer: files,
    encoder: { ...encoder, ...more },
  });
  const unwritten = { handler: "vars", log_skip: true };
  const anyOrigin = { "Access-Control-Allow-Origin": ["*"], Connection: ["close"] };
  const answer = (status: number) => ({
    ...{ handler: "static_response", status_code: status, headers: anyOrigin },
  });
  return {
    access,
    logs: {
      [name]: log(maxInMinute),
      // The time of each request alone: evidence.py subtracts what was written of them.
      [`${name}_count`]: log(maxCountedInMinute, {
        wrap: { format: "json", time_format: "unix_milli_float", ...noKeys },
        fields: {
          ...encoder.fields,
          ...Object.fromEntries(dropped.map((field) => [field, { filter: "delete" }])),
        },
      }),
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
              {
                handler: "subroute",
                routes: [
                  {
                    match: [{ vars_regexp: { evidence: { pattern: shape } } }],
                    handle: [
                      { handler: "log_append", key: "evidence", value: "evidence" },
                      {
                        ...{ handler: "log_append", key: "from" },
                        value: "{http.request.remote.host}",
                      },
                      answer(204),
                    ],
                  },
                  { handle: [unwritten, answer(400)] },
                ],
              },
            ],
          },
          { handle: [unwritten, { handler: "static_response", status_code: 404 }] },
        ],
      },
    },
  } satisfies { access: string; logs: YamlMap; servers: YamlMap };
}
