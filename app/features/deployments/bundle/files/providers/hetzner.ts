import { hasFamily, machineOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { providerRulesOf, rangeOf } from "./rules.ts";

/** Hetzner's firewall accepts 50 rules, so both address families of a port share one rule. */
function rulesOf(options: DeploymentOptions): string {
  const byPort = new Map<string, string[]>();
  for (const rule of providerRulesOf(options)) {
    const port = `"protocol":"${rule.protocol}","port":"${rangeOf(rule)}"`;
    byPort.set(port, [...(byPort.get(port) ?? []), ...rule.sources]);
  }
  return [...byPort]
    .map(([port, sources]) => {
      const list = [...new Set(sources)].map((source) => `"${source}"`).join(",");
      return `{"direction":"in",${port},"source_ips":[${list}]}`;
    })
    .join(",\n");
}

/** The addresses stay when the machine is deleted. The firewall protects the machine from its creation on. */
export function hetznerCommands(options: DeploymentOptions): string {
  const families = (["ipv4", "ipv6"] as const).map((family) => {
    const name = family === "ipv4" ? '"$NAME"' : '"$NAME-6"';
    return hasFamily(options, family)
      ? {
          make: `hcloud primary-ip describe ${name} >/dev/null 2>&1 ||
  hcloud primary-ip create --type ${family} --name ${name} --location "$REGION" >/dev/null\n`,
          use: `--primary-${family} ${name}`,
          tell: `${family === "ipv4" ? "address" : "address6"}=$(hcloud server ip${family === "ipv4" ? "" : " --ipv6"} "$NAME")\n`,
        }
      : { make: "", use: `--without-${family}`, tell: "" };
  });
  return `SSH_KEY="\${SSH_KEY:-}"
need SSH_KEY "$SSH_KEY" "the name or id from 'hcloud ssh-key list'"

cat >"$work/rules.json" <<'END'
[
${rulesOf(options)}
]
END
if hcloud firewall describe "$NAME" >/dev/null 2>&1; then
  hcloud firewall replace-rules "$NAME" --rules-file "$work/rules.json" >/dev/null
else
  hcloud firewall create --name "$NAME" --rules-file "$work/rules.json" >/dev/null
fi
${families.map(({ make }) => make).join("")}hcloud server describe "$NAME" >/dev/null 2>&1 ||
  hcloud server create --name "$NAME" --type "$SIZE" --image ${machineOf(options).ubuntu} --location "$REGION" \\
    --ssh-key "$SSH_KEY" --firewall "$NAME" ${families.map(({ use }) => use).join(" ")} \\
    --user-data-from-file "$USER_DATA" >/dev/null
${families.map(({ tell }) => tell).join("")}`;
}
