import {
  type Configuration,
  isList,
  isValueMap,
  mapAt,
  type Path,
  textAt,
  type Value,
  valueAt,
} from "./files/configuration.ts";

/** What a service of a Compose file runs. */
export type Role =
  | "livekit"
  | "egress"
  | "ingress"
  | "sip"
  | "caddy"
  | "redis"
  | "nginx"
  | "traefik";

export type ComposeService = {
  file: string;
  name: string;
  role: Role | undefined;
  image: Image | undefined;
  /** Its part of the file. */
  at: Configuration;
  isHost: boolean;
  environment: Readonly<Record<string, string>>;
  /** Whether variables come from a file that we do not see. */
  hasEnvironmentFile: boolean;
  command: string;
  ports: readonly PublishedPorts[];
  /** Paths in the container that are mounted. */
  mounts: readonly string[];
};

export type Image = { repository: string; tag: string | undefined; isPinned: boolean };

/** Ports of the host that lead to ports of the container. */
export type PublishedPorts = {
  path: Path;
  address: string | undefined;
  host: readonly [number, number];
  container: readonly [number, number];
  protocol: string;
};

export function servicesOf(compose: Configuration & { file: string }): ComposeService[] {
  return Object.entries(mapAt(compose, "services")).flatMap(([name, value]) => {
    if (!isValueMap(value)) return [];
    const at: Configuration = {
      value,
      lineOf: (path) => compose.lineOf(["services", name, ...path]),
    };
    const image = imageOf(textAt(at, "image"));
    return [
      {
        file: compose.file,
        name,
        role: roleOf(image?.repository ?? "", name),
        image,
        at,
        isHost: textAt(at, "network_mode") === "host",
        environment: environmentOf(at),
        hasEnvironmentFile: valueAt(at, "env_file") !== undefined,
        command: [wordsOf(valueAt(at, "entrypoint")), wordsOf(valueAt(at, "command"))].join(" "),
        ports: publishedPorts(at),
        mounts: mountsOf(at),
      },
    ];
  });
}

/** `${LIVEKIT_VERSION:-v1.9.0}` is what stands behind the dash. */
const withoutVariables = (text: string): string =>
  text.replace(/\$\{\w+:?-([^}]*)\}/g, "$1").replace(/\$\{?\w+\}?/g, "");

export function imageOf(text: string | undefined): Image | undefined {
  if (!text) return;
  const [name = "", digest] = withoutVariables(text).split("@");
  const [, repository = name, tag] = /^(.*?)(?::([^/:]*))?$/.exec(name) ?? [];
  return {
    repository: repository
      .replace(/^(docker\.io|index\.docker\.io)\//, "")
      .replace(/^library\//, ""),
    tag: tag || undefined,
    isPinned: digest !== undefined || /\$/.test(text),
  };
}

function roleOf(repository: string, name: string): Role | undefined {
  const program = repository.split("/").at(-1) ?? "";
  if (/livekit/.test(repository)) {
    if (program === "livekit-server") return "livekit";
    for (const role of ["egress", "ingress", "sip"] as const) if (program === role) return role;
  }
  if (/^(caddyl4|caddy)/.test(program)) return "caddy";
  if (/^(redis|valkey)$/.test(program)) return "redis";
  if (/^nginx/.test(program)) return "nginx";
  if (program === "traefik") return "traefik";
  return repository === "" && name === "livekit" ? "livekit" : undefined;
}

function environmentOf(at: Configuration): Record<string, string> {
  const given = valueAt(at, "environment");
  if (isList(given))
    return Object.fromEntries(
      given.map((each) => {
        const [name = "", ...rest] = String(each).split("=");
        return [name, rest.join("=")];
      }),
    );
  return Object.fromEntries(
    Object.entries(isValueMap(given) ? given : {}).map(([name, value]) => [
      name,
      String(value ?? ""),
    ]),
  );
}

const wordsOf = (value: Value | undefined): string =>
  isList(value) ? value.join(" ") : typeof value === "string" ? value : "";

function mountsOf(at: Configuration): string[] {
  const given = valueAt(at, "volumes");
  return (isList(given) ? given : []).map((each) =>
    isValueMap(each) ? String(each.target ?? "") : (String(each).split(":")[1] ?? String(each)),
  );
}

function publishedPorts(at: Configuration): PublishedPorts[] {
  const given = valueAt(at, "ports");
  return (isList(given) ? given : []).flatMap((each, index) => {
    const path = ["ports", index];
    if (isValueMap(each)) {
      const container = rangeOf(String(each.target ?? ""));
      const host = rangeOf(String(each.published ?? each.target ?? ""));
      const address = each.host_ip === undefined ? undefined : String(each.host_ip);
      return container && host
        ? [{ path, address, host, container, protocol: String(each.protocol ?? "tcp") }]
        : [];
    }
    const [, address, from, to = "", protocol = "tcp"] =
      /^(?:(\[[^\]]*\]|\d+(?:\.\d+){3}|localhost):)?(?:([\d-]+):)?([\d-]+)(?:\/(\w+))?$/.exec(
        withoutVariables(String(each)),
      ) ?? [];
    const container = rangeOf(to);
    const host = rangeOf(from ?? to);
    return container && host ? [{ path, address, host, container, protocol }] : [];
  });
}

function rangeOf(text: string): [number, number] | undefined {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  return first === undefined || last === undefined ? undefined : [Number(first), Number(last)];
}

/** Whether other machines reach what is published at this address. */
export const isPublicAddress = (address: string | undefined): boolean =>
  address === undefined || !/^(127\.|\[?::1\]?$|localhost)/.test(address);

/** Whether a service's port reaches beyond its machine: published, or on the host's network. */
export function publishes(
  { ports }: ComposeService,
  port: number,
  protocol: "tcp" | "udp",
): PublishedPorts | undefined {
  return ports.find(
    ({ container: [first, last], protocol: by }) =>
      by === protocol && first <= port && port <= last,
  );
}
