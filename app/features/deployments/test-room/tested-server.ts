import { turnOf } from "../bundle/options/derived-options.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { portsOf } from "../bundle/ports.ts";

/** What a test in a browser has to know of a deployment's server. */
export type TestedServer = {
  domain: string;
  /** The public ports for media, for a sentence. */
  mediaPorts: string;
  /** Whether its TURN is reached inside TLS on port 443, and not by UDP alone. */
  hasTurnByTls: boolean;
};

export function testedServerOf(options: DeploymentOptions): TestedServer {
  const mediaPorts = portsOf(options)
    .filter(({ audience, service }) => audience === "public" && service === "livekit")
    .map(({ ports, protocol }) => `${ports}/${protocol}`)
    .join(", ");
  return { domain: options.domain, mediaPorts, hasTurnByTls: turnOf(options).tls };
}
