import type { Role } from "../../bundle-types.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { hclString } from "../../quoting.ts";
import { type ProviderRule, providerRulesOf, rangeOf } from "../providers/rules.ts";
import { hclList, hclRows } from "./hcl.ts";

// The rows of `rules` in main.tf: the same rules as create-vm.sh makes, in the form in which each provider wants them.
// Keys say what a rule opens, so that a rule more leaves the others alone.

/** The rules with the sources of both address families together. */
function rulesOf(options: DeploymentOptions, role?: Role): ProviderRule[] {
  const byPort = new Map<string, ProviderRule>();
  for (const rule of providerRulesOf(options, role)) {
    const key = `${rule.protocol} ${rangeOf(rule)}`;
    const before = byPort.get(key)?.sources ?? [];
    byPort.set(key, { ...rule, sources: [...new Set([...before, ...rule.sources])] });
  }
  return [...byPort.values()];
}

/** For each port its sources, of both families. */
export function rulesByPort(options: DeploymentOptions, role?: Role): string {
  return hclRows(
    rulesOf(options, role).map((rule) => [
      hclString(`${rule.protocol} ${rangeOf(rule)}`),
      `{ protocol = "${rule.protocol}", ports = "${rangeOf(rule)}", sources = ${hclList(rule.sources)} }`,
    ]),
  );
}

/** For each port and each source one. Vultr writes a range with a colon. */
export function rulesBySource(
  options: DeploymentOptions,
  role?: Role,
  form: "numbers" | "ports" = "numbers",
): string {
  return hclRows(
    rulesOf(options, role).flatMap((rule) =>
      rule.sources.map((source): [string, string] => [
        hclString(`${rule.protocol} ${rangeOf(rule)} ${source}`),
        `{ protocol = "${rule.protocol}", ${
          form === "ports"
            ? `ports = "${rangeOf(rule).replace("-", ":")}"`
            : `from = ${rule.first}, to = ${rule.last}`
        }, source = ${hclString(source)} }`,
      ]),
    ),
  );
}

/** Azure orders rules by number, and a rule of a number may change. */
export function rulesByPriority(options: DeploymentOptions, role?: Role): string {
  return hclRows(
    providerRulesOf(options, role).map((rule, index) => [
      `"${1000 + index * 10}"`,
      `{ protocol = "${rule.protocol === "tcp" ? "Tcp" : "Udp"}", ports = "${rangeOf(rule)}", sources = ${hclList(rule.sources)} }`,
    ]),
  );
}

/** Google wants one rule for all ports of the same sources, which are of one family. */
export function rulesBySources(options: DeploymentOptions, role?: Role): string {
  const bySources = new Map<string, ProviderRule[]>();
  for (const rule of providerRulesOf(options, role)) {
    const key = hclList(rule.sources);
    bySources.set(key, [...(bySources.get(key) ?? []), rule]);
  }
  return hclRows(
    [...bySources].map(([sources, rules], index) => {
      const allowed = (["tcp", "udp"] as const).flatMap((protocol) => {
        const ports = rules.filter((rule) => rule.protocol === protocol).map(rangeOf);
        return ports.length === 0 ? [] : [`${protocol} = ${hclList([...new Set(ports)])}`];
      });
      return [`"${index + 1}"`, `{ allow = { ${allowed.join(", ")} }, sources = ${sources} }`];
    }),
  );
}

/** Linode's firewall accepts 25 rules of at most 15 ports each. A range counts as two ports. */
const portsInGroup = 7;

export function rulesInGroups(options: DeploymentOptions, role?: Role): string {
  const groups = new Map<
    string,
    { protocol: string; sources: readonly string[]; ports: string[] }
  >();
  for (const rule of rulesOf(options, role)) {
    const { protocol, sources } = rule;
    const key = `${protocol} ${sources.join(" ")}`;
    const group = groups.get(key) ?? { protocol, sources, ports: [] };
    group.ports.push(rangeOf(rule));
    groups.set(key, group);
  }
  const rows = [...groups.values()].flatMap(({ protocol, sources, ports }) =>
    Array.from({ length: Math.ceil(ports.length / portsInGroup) }, (_, part) => {
      const some = ports.slice(part * portsInGroup, (part + 1) * portsInGroup).join(",");
      const ofFamily = (isIpv6: boolean) => {
        const found = sources.filter((source) => source.includes(":") === isIpv6);
        return found.length === 0 ? "null" : hclList(found);
      };
      return `{ protocol = "${protocol.toUpperCase()}", ports = "${some}", ipv4 = ${ofFamily(false)}, ipv6 = ${ofFamily(true)} }`;
    }),
  );
  return hclRows(rows.map((row, index) => [`"rule-${index + 1}"`, row]));
}
