import type { Hcl, HclMap } from "./hcl.ts";
import { isMap } from "./hcl.ts";

/** `443/tcp 0.0.0.0/0`, of the rows that a main.tf opens ports with, in the form of any provider. */
export function openedBy(rows: HclMap): string[] {
  const texts = (value: Hcl | undefined): string[] =>
    Array.isArray(value) ? value.map(String) : [];
  const found = Object.values(rows)
    .filter(isMap)
    .flatMap((rule) => {
      const { protocol, ports, from, to, source } = rule;
      const sources = source ? [source] : [rule.sources, rule.ipv4, rule.ipv6].flatMap(texts);
      const listed: [protocol: string, port: string][] = isMap(rule.allow)
        ? Object.entries(rule.allow).flatMap(([name, list]) =>
            texts(list).map((port): [string, string] => [name, port]),
          )
        : String(ports ?? (from === to ? from : `${from}-${to}`))
            .split(",")
            .map((port) => [String(protocol), port]);
      return listed.flatMap(([name, port]) =>
        sources.map((each) => `${port.replace(":", "-")}/${name.toLowerCase()} ${each}`),
      );
    });
  return [...new Set(found)].sort();
}
