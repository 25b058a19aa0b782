import {
  isList,
  isValueMap,
  listAt,
  mapAt,
  type Path,
  type Value,
} from "../files/configuration.ts";
import type { Part } from "../setup.ts";

/** A route of Caddy's layer 4: which names it takes, what it does with TLS, and where it leads. */
type Route = {
  path: Path;
  names: string[];
  alpn: string[] | undefined;
  endsTls: boolean;
  ports: number[];
};

export function routesOf(part: Part): Route[] {
  return Object.keys(mapAt(part, "apps", "layer4", "servers")).flatMap((server) => {
    const above = ["apps", "layer4", "servers", server, "routes"];
    return listAt(part, ...above).map((route, index) => {
      const path = [...above, index];
      const handlers = isValueMap(route) ? handlersOf(route.handle) : [];
      const tls = handlers.find(({ handler }) => handler === "tls");
      const alpn = isList(tls?.connection_policies)
        ? tls.connection_policies.flatMap((each) =>
            isValueMap(each) && isList(each.alpn) ? each.alpn.map(String) : [],
          )
        : [];
      return {
        path,
        names: listAt(part, ...path, "match").flatMap((match) => {
          const names = isValueMap(match) && isValueMap(match.tls) ? match.tls.sni : undefined;
          return isList(names) ? names.map(String) : [];
        }),
        endsTls: tls !== undefined,
        alpn: tls && alpn.length > 0 ? alpn : undefined,
        ports: handlers.flatMap(({ upstreams }) => portsOf(upstreams)),
      };
    });
  });
}

type Handler = { readonly [key: string]: Value | undefined };

/** Those of routes within routes too. */
function handlersOf(handle: Value | undefined): Handler[] {
  if (!isList(handle)) return [];
  return handle.filter(isValueMap).flatMap((each) => {
    const inner = isList(each.routes) ? each.routes.filter(isValueMap) : [];
    return [each, ...inner.flatMap((route) => handlersOf(route.handle))];
  });
}

function portsOf(upstreams: Value | undefined): number[] {
  return (isList(upstreams) ? upstreams : []).flatMap((each) => {
    const dial = isValueMap(each) ? each.dial : undefined;
    const addresses = isList(dial) ? dial : dial === undefined ? [] : [dial];
    return addresses.map((address) => Number(/:(\d+)$/.exec(String(address))?.[1] ?? 0));
  });
}

/** All ports that Caddy's HTTP servers and routes of layer 4 lead to. */
export function caddyPorts(part: Part): number[] {
  const servers = Object.values(mapAt(part, "apps", "http", "servers"));
  const http = servers.flatMap((server) =>
    isValueMap(server) && isList(server.routes)
      ? server.routes.filter(isValueMap).flatMap(({ handle }) => handlersOf(handle))
      : [],
  );
  return [
    ...http.flatMap(({ upstreams }) => portsOf(upstreams)),
    ...routesOf(part).flatMap(({ ports }) => ports),
  ];
}

export const matchesName = (names: readonly string[], name: string): boolean =>
  names.some((each) => each === name || (each.startsWith("*.") && name.endsWith(each.slice(1))));
