import { z } from "zod";
import { serveOnLoopback } from "../loopback-server.ts";
import { refuseInProduction } from "../refuse-production.ts";
import { Machines, machineControl } from "./machines.ts";

export interface InternetFake {
  url: string;
  /** Forgets every name and every server. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
type RecordType = keyof typeof types;

const control = z.union([
  /** What the resolver knows of a name; an empty list takes the records away. */
  z.strictObject({
    name: z.string(),
    A: z.array(z.string()).optional(),
    AAAA: z.array(z.string()).optional(),
    CNAME: z.string().optional(),
    TXT: z.array(z.string()).optional(),
  }),
  /** How the resolver answers everything. */
  z.strictObject({ resolver: z.enum(["well", "failing", "down", "silent", "garbage"]) }),
  /** How the machine at an address answers connections. */
  machineControl,
  /** What the server of a domain answers. */
  z.strictObject({
    server: z.string(),
    answers: z.enum([
      "livekit",
      "not-ready",
      "nothing",
      "no-certificate",
      "redirect",
      "website",
      "endless",
    ]),
  }),
]);

type Records = Partial<Record<RecordType, readonly string[]>>;

/**
 * The part of the internet that the site asks on a customer's behalf: a resolver that speaks DNS over HTTPS in JSON, as
 * 1.1.1.1 does at https://cloudflare-dns.com/dns-query, customers' servers by their domain, below `/servers`, and the ports
 * of their machines: `GET /sockets/NAME_OR_ADDRESS/PORT` says where on this machine that port is. No name exists and no
 * server answers until `POST /_local/control` says otherwise; `GET /_local/asked` lists what was asked.
 */
export async function startInternetFake({ port }: { port: number }): Promise<InternetFake> {
  refuseInProduction("internet");
  const names = new Map<string, Records>();
  const servers = new Map<string, string>();
  const machines = new Machines();
  const requestedNames: string[] = [];
  let resolver = "well";

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.startsWith("/_local/")) requestedNames.push(`${pathname} ${searchParams}`.trim());
    if (request.method === "POST" && pathname === "/_local/control") {
      const settings = control.parse(await request.json());
      if ("resolver" in settings) resolver = settings.resolver;
      else if ("machine" in settings) machines.set(settings);
      else if ("server" in settings) servers.set(settings.server, settings.answers);
      else {
        const { name, A, AAAA, CNAME, TXT } = settings;
        const records: Records = {
          ...(A && { A }),
          ...(AAAA && { AAAA }),
          // As in a zone file: in quotation marks.
          ...(TXT && { TXT: TXT.map((text) => `"${text}"`) }),
          ...(CNAME && { CNAME: [CNAME] }),
        };
        names.set(name, { ...names.get(name), ...records });
      }
      return Response.json({ done: true });
    }
    if (request.method !== "GET") return new Response("Method not allowed", { status: 405 });
    if (pathname === "/_local/asked") return Response.json(requestedNames);
    if (pathname === "/dns-query") return resolved(request, searchParams);
    const [, endpoint, port] = /^\/sockets\/([^/]+)\/(\d+)$/.exec(pathname) ?? [];
    if (endpoint) return socketPort(decodeURIComponent(endpoint), Number(port));
    const [, domain] = /^\/servers\/([^/]+)\/$/.exec(pathname) ?? [];
    return domain ? served(servers.get(domain) ?? "nothing") : new Response(null, { status: 404 });
  }

  /** A name leads where the resolver says; an address is itself. */
  async function socketPort(endpoint: string, port: number): Promise<Response> {
    const { Answer: [found] = [] } = dnsAnswer(endpoint, "A", names, false);
    const at = await machines.portOf(endpoint, found?.data ?? endpoint, port);
    return at === undefined ? new Promise(() => undefined) : new Response(String(at));
  }

  function resolved(request: Request, query: URLSearchParams): Response | Promise<Response> {
    if (resolver === "silent") return new Promise(() => undefined);
    if (resolver === "down") return new Response("error code: 1033", { status: 530 });
    if (resolver === "garbage") return new Response('{"Status": 0, "Answer": "<html>"}');
    // Without this header the resolver takes the request for one in DNS's own format.
    if (request.headers.get("accept") !== "application/dns-json") {
      return new Response(null, { status: 400 });
    }
    const name = query.get("name");
    const type = query.get("type") ?? "A";
    if (!name || !isRecordType(type)) {
      return Response.json({ error: "Invalid query name or type" }, { status: 400 });
    }
    return new Response(JSON.stringify(dnsAnswer(name, type, names, resolver === "failing")), {
      headers: { "content-type": "application/dns-json" },
    });
  }

  const server = await serveOnLoopback(port, answer);
  return {
    url: server.url,
    async reset() {
      names.clear();
      servers.clear();
      await machines.reset();
      requestedNames.length = 0;
      resolver = "well";
    },
    async close() {
      await machines.reset();
      await server.close();
    },
  };
}

function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(types, type);
}

/** An alias is answered with what it leads to. Status 2 is SERVFAIL, 3 NXDOMAIN; both come without an answer. */
function dnsAnswer(name: string, type: RecordType, names: Map<string, Records>, failing: boolean) {
  const chain: { name: string; type: number; TTL: number; data: string }[] = [];
  let at = name;
  for (let hops = 0; hops < 8; hops++) {
    const [alias] = names.get(at)?.CNAME ?? [];
    if (!alias) break;
    chain.push({ name: at, type: types.CNAME, TTL: 300, data: `${alias}.` });
    at = alias;
  }
  const found = (names.get(at)?.[type] ?? []).map((data) => ({
    name: at,
    type: types[type],
    TTL: 300,
    data,
  }));
  const answer = [...chain, ...found];
  return {
    Status: failing ? 2 : names.has(at) ? 0 : 3,
    TC: false,
    RD: true,
    RA: true,
    AD: false,
    CD: false,
    Question: [{ name, type: types[type] }],
    ...(!failing && answer.length > 0 ? { Answer: answer } : {}),
  };
}

/** What a Worker sees of a server. 522 and 526 are Cloudflare's own answers where it reached no server, or one without a certificate. */
function served(answers: string): Response | Promise<Response> {
  switch (answers) {
    case "livekit":
      return new Response("OK");
    case "not-ready":
      return new Response("Not Ready", { status: 406 });
    case "no-certificate":
      return new Response("error code: 526", { status: 526 });
    case "redirect":
      return new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } });
    case "website":
      return new Response("<!doctype html><h1>Welcome to nginx!</h1>");
    case "endless": {
      const chunk = new Uint8Array(64 * 1024);
      return new Response(new ReadableStream({ pull: (stream) => stream.enqueue(chunk) }));
    }
    default:
      return new Response("error code: 522", { status: 522 });
  }
}
