import type { DeploymentOptions } from "../bundle/options/options.ts";

/**
 * The choices of a copy that gets another domain, to be checked by `parseOptions`. Names below the old domain move
 * below the new one. Any other name of the original is left out: it points at the original's server.
 */
export function copyTo(domain: string, options: DeploymentOptions): Record<string, unknown> {
  const moved = (name: string) =>
    isBelow(name, options.domain) ? name.slice(0, -options.domain.length) + domain : undefined;
  const { turn, whipDomain, extraDomains, ...rest } = options;
  const movedTurn = turn.mode === "manual" ? moved(turn.domain) : undefined;
  const movedWhip = whipDomain && moved(whipDomain);
  return {
    ...rest,
    domain,
    extraDomains: extraDomains.flatMap((name) => moved(name) ?? []),
    ...(turn.mode === "manual" && movedTurn ? { turn: { ...turn, domain: movedTurn } } : {}),
    ...(movedWhip ? { whipDomain: movedWhip } : {}),
  };
}

/** The names that a copy does not get. */
export function namesLeftOut({
  domain,
  turn,
  whipDomain,
  extraDomains,
}: DeploymentOptions): string[] {
  const names = [
    ...extraDomains,
    ...(turn.mode === "manual" ? [turn.domain] : []),
    ...(whipDomain ? [whipDomain] : []),
  ];
  return [...new Set(names.filter((name) => !isBelow(name, domain)))];
}

function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}
