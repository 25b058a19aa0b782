import {
  isList,
  isValueMap,
  numberAt,
  type Value,
  valueAt,
} from "~/features/audit/files/configuration.ts";
import { type Block, blocksOf, directive, withInner } from "~/features/audit/files/plain-file.ts";
import { routesOf } from "~/features/audit/rules/caddy-routes.ts";
import { hasPort } from "~/features/audit/rules/find.ts";
import { type Part, type Setup, servicesAs, textsOf } from "~/features/audit/setup.ts";
import type { Origin } from "./collected.ts";

/** A name, with where a file says it. */
export type NameAt = Origin & { name: string; setting: string };

const isName = (name: string): boolean => /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/i.test(name);

/** The names under which people reach LiveKit, as the proxies before it say them. */
export function publicNamesOf(setup: Setup): NameAt[] {
  const [livekit] = setup.livekit;
  const port = (livekit && numberAt(livekit, "port")) ?? 7880;
  const found = [
    ...setup.caddy.flatMap((part) => namesOfCaddy(part, port)),
    ...textsOf(setup, "nginx").flatMap(({ name, text }) => namesOfNginx(name, text, port)),
    ...textsOf(setup, "caddyfile").flatMap(({ name, text }) => namesOfCaddyfile(name, text, port)),
    ...servicesAs(setup, "livekit").flatMap(({ file, at }) =>
      namesOfLabels(file, at.lineOf, valueAt(at, "labels")),
    ),
    ...setup.helm.flatMap(namesOfHelm),
  ];
  const names = new Set<string>();
  return found.filter(({ name }) => {
    if (!isName(name) || names.has(name)) return false;
    names.add(name);
    return true;
  });
}

function namesOfCaddy(part: Part, port: number): NameAt[] {
  const layer4 = routesOf(part)
    .filter(({ ports }) => ports.includes(port))
    .flatMap(({ names, path }) => names.map((name) => ({ name, path })));
  const servers = valueAt(part, "apps", "http", "servers");
  const http = Object.entries(isValueMap(servers) ? servers : {}).flatMap(([server, value]) =>
    (isValueMap(value) && isList(value.routes) ? value.routes : []).flatMap((route, index) => {
      if (!isValueMap(route) || !hasPort(JSON.stringify(route), port)) return [];
      const hosts = (isList(route.match) ? route.match : []).flatMap((match) =>
        isValueMap(match) && isList(match.host) ? match.host.map(String) : [],
      );
      const path = ["apps", "http", "servers", server, "routes", index];
      return hosts.map((name) => ({ name, path }));
    }),
  );
  return [...layer4, ...http].map(({ name, path }) => ({
    ...{
      name,
      file: part.file,
      line: part.lineOf(path),
      setting: "the name that leads to LiveKit",
    },
  }));
}

/** A block's own lines and those within it. */
const textIn = (block: Block): string =>
  withInner(block)
    .flatMap(({ directives }) => directives.map(({ value }) => value))
    .join("\n");

function namesOfNginx(file: string, text: string, port: number): NameAt[] {
  const blocks = withInner(blocksOf(text));
  const upstreams = blocks
    .filter((block) => block.name.startsWith("upstream ") && hasPort(textIn(block), port))
    .map(({ name }) => name.slice("upstream ".length).trim());
  const leads = (block: Block) =>
    withInner(block).some(({ directives }) =>
      directives.some(
        ({ name, value }) =>
          name === "proxy_pass" &&
          (hasPort(value, port) || upstreams.includes(value.split("//")[1]?.split("/")[0] ?? "")),
      ),
    );
  return blocks
    .filter((block) => block.name === "server" && leads(block))
    .flatMap((block) => {
      const said = directive(block, "server_name");
      return (said?.value.split(/\s+/) ?? []).map((name) => ({
        ...{ name, file, line: said?.line ?? block.line, setting: "server_name" },
      }));
    });
}

function namesOfCaddyfile(file: string, text: string, port: number): NameAt[] {
  return blocksOf(text)
    .blocks.filter((block) => hasPort(textIn(block), port))
    .flatMap(({ name, line }) =>
      name.split(/[\s,]+/).map((each) => ({
        ...{ name: each.replace(/^https:\/\//, "").replace(/:\d+$/, ""), file, line },
        setting: "the site that leads to LiveKit",
      })),
    );
}

function namesOfLabels(file: string, lineOf: Part["lineOf"], labels: Value | undefined): NameAt[] {
  const lines = isValueMap(labels)
    ? Object.entries(labels).map(([name, value]) => `${name}=${value}`)
    : isList(labels)
      ? labels.map(String)
      : [];
  return lines.flatMap((line) => {
    const [, name] = /^traefik\.http\.routers\..*\bHost\(`([^`]+)`\)/.exec(line) ?? [];
    return name ? [{ name, file, line: lineOf(["labels"]), setting: "labels" }] : [];
  });
}

function namesOfHelm(part: Part): NameAt[] {
  const tls = valueAt(part, "loadBalancer", "tls");
  return (isList(tls) ? tls : []).flatMap((each) =>
    (isValueMap(each) && isList(each.hosts) ? each.hosts : []).map((name) => ({
      ...{ name: String(name), file: part.file, line: part.lineOf(["loadBalancer", "tls"]) },
      setting: "loadBalancer.tls",
    })),
  );
}

/** The address that gets mails about certificates. */
export function certificateEmailOf(setup: Setup): NameAt | undefined {
  for (const part of setup.caddy) {
    const path = ["apps", "tls", "automation", "policies"];
    const [, email] =
      /"email":"([^"@]+@[^"]+)"/.exec(JSON.stringify(valueAt(part, ...path) ?? "")) ?? [];
    if (email) return { name: email, file: part.file, line: part.lineOf(path), setting: "email" };
  }
  for (const { name: file, text } of textsOf(setup, "caddyfile")) {
    const said = withInner(blocksOf(text)).flatMap(({ directives }) => directives);
    const email = said.find(({ name }) => name === "email");
    if (email) return { name: email.value, file, line: email.line, setting: "email" };
  }
  return undefined;
}
