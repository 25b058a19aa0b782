import type { AuditedFile } from "../files/audited-file.ts";
import { type Block, blocksOf, directive, withInner } from "../files/plain-file.ts";
import type { Place, Rule } from "../rule.ts";
import { type Setup, textsOf } from "../setup.ts";
import { hasPort } from "./find.ts";
import { livekitPort } from "./network.ts";
import { issue, pull } from "./sources.ts";

/** The blocks of nginx that lead to LiveKit, each with those around it, innermost first. */
function locationsOf(file: AuditedFile, port: number): { around: Block[]; line: number }[] {
  const root = blocksOf(file.text);
  const upstreams = withInner(root)
    .filter(({ name }) => name.startsWith("upstream "))
    .filter(({ directives }) =>
      directives.some(({ name, value }) => name === "server" && hasPort(value, port)),
    )
    .map(({ name }) => name.slice("upstream ".length).trim());
  const leads = (value: string): boolean =>
    hasPort(value, port) || upstreams.includes(value.split("//")[1]?.split("/")[0] ?? "");
  const walk = (block: Block, above: Block[]): { around: Block[]; line: number }[] => {
    const around = [block, ...above];
    const pass = directive(block, "proxy_pass");
    const found = pass && leads(pass.value) ? [{ around, line: pass.line }] : [];
    return [...found, ...block.blocks.flatMap((each) => walk(each, around))];
  };
  return walk(root, []).filter(({ around }) => !around.some(({ name }) => name === "stream"));
}

/** A rule's `find` that looks at each place where nginx leads to LiveKit. */
const inNginx =
  (finder: (around: Block[], file: string, line: number) => Place | undefined) =>
  (setup: Setup) => {
    const port = setup.livekit[0] ? livekitPort(setup.livekit[0]) : 7880;
    return textsOf(setup, "nginx").flatMap((file) =>
      locationsOf(file, port).map(({ around, line }) => finder(around, file.name, line)),
    );
  };

/** What counts for a location: its own line, else that of the block around it. */
const nearest = (around: readonly Block[], name: string) =>
  around.map((block) => directive(block, name)).find((each) => each !== undefined);

const upgrade =
  'proxy_http_version 1.1;\nproxy_set_header Upgrade $http_upgrade;\nproxy_set_header Connection "upgrade";';

const isPublicListener = (address: string): boolean =>
  !/^(localhost|127\.|\[?::1\]?)/.test(address);

export const nginxRules: readonly Rule[] = [
  {
    code: "nginx.upgrade.missing",
    fault: "wrong",
    severity: "critical",
    title: "nginx does not pass WebSockets on",
    reason:
      "LiveKit's signalling is a WebSocket. Without these headers each join fails: could not establish signal connection.",
    source: issue("mynaparrot/plugNmeet-server", 347),
    find: inNginx((around, file, line) => {
      const headers = around.find(({ directives }) =>
        directives.some(({ name }) => name === "proxy_set_header"),
      );
      const has = (name: RegExp) =>
        headers?.directives.some(
          (each) => each.name === "proxy_set_header" && name.test(each.value),
        );
      return has(/^Upgrade\s/i) && has(/^Connection\s/i)
        ? undefined
        : { file, line, mend: upgrade };
    }),
  },
  {
    code: "nginx.http.version",
    fault: "wrong",
    severity: "critical",
    title: "nginx speaks HTTP/1.0 to LiveKit",
    reason: "WebSockets need HTTP/1.1, and up to nginx 1.29 it is not the default.",
    source: "https://nginx.org/en/docs/http/websocket.html",
    find: inNginx((around, file, line) => {
      const version = nearest(around, "proxy_http_version");
      return version?.value === "1.1"
        ? undefined
        : { file, line: version?.line ?? line, mend: upgrade, subject: version?.value };
    }),
  },
  {
    code: "nginx.timeout.short",
    fault: "wrong",
    severity: "warning",
    title: "nginx ends quiet connections early",
    reason: "Signalling is quiet for seconds at a time. Whoever is cut off has to join anew.",
    source: pull("drone/docs", 203),
    find: inNginx((around, file) => {
      const timeout = nearest(around, "proxy_read_timeout");
      const [, amount, unit = "s"] = /^(\d+)(ms|s|m|h|d)?$/.exec(timeout?.value ?? "") ?? [];
      const seconds = Number(amount) * { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 }[unit as "s"];
      return timeout && amount !== undefined && seconds < 60
        ? { file, line: timeout.line, mend: "proxy_read_timeout 1h;", subject: timeout.value }
        : undefined;
    }),
  },
  {
    code: "nginx.tls.missing",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit is reached over HTTP",
    reason: "Browsers give a camera to pages with HTTPS only, and those connect by wss: alone.",
    source: issue("livekit/livekit", 123),
    find: inNginx((around, file) => {
      const server = around.find(({ name }) => name === "server");
      const listens = server?.directives.filter(({ name }) => name === "listen") ?? [];
      return listens.length > 0 &&
        listens.every(({ value }) => isPublicListener(value) && !/\b(443|ssl|quic)\b/.test(value))
        ? {
            file,
            line: listens[0]?.line ?? 1,
            mend: "listen 443 ssl;\nssl_certificate /etc/ssl/fullchain.pem;\nssl_certificate_key /etc/ssl/key.pem;",
          }
        : undefined;
    }),
  },
  {
    code: "nginx.tls.old",
    fault: "insecure",
    severity: "warning",
    title: "nginx offers versions of TLS that are broken",
    reason: "Browsers gave them up in 2020. Whoever is on the way can force a client down to them.",
    source: "https://www.rfc-editor.org/rfc/rfc8996",
    find: (setup) =>
      textsOf(setup, "nginx").flatMap(({ name, text }) =>
        withInner(blocksOf(text)).flatMap(({ directives }) =>
          directives
            .filter(
              (each) =>
                each.name === "ssl_protocols" && /\b(SSLv[23]|TLSv1(\.1)?)(\s|$)/.test(each.value),
            )
            .map((each) => ({
              file: name,
              line: each.line,
              mend: "ssl_protocols TLSv1.2 TLSv1.3;",
              subject: each.value,
            })),
        ),
      ),
  },
];
