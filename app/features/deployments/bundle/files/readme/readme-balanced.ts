import {
  balancedOf,
  certificateDnsOf,
  egressMachinesOf,
  redisAddressOf,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { port } from "../../ports.ts";
import { mixedKeys, recordersWords } from "./readme-cluster.ts";

const recorders = (options: DeploymentOptions): string =>
  egressMachinesOf(options) === 0 ? "" : " --egress NODE...";

/** From the machines to the first call. `creation` says how they are made; the rest is in the section about the balancer. */
export const balancedStart = (options: DeploymentOptions, creation: string): string => `## Start

1. ${creation}
2. Set up the balancer, as the section "Behind a balancer" says. On your computer, in the folder of these files, by your SSH:
   \`sh cluster.sh make FIRST NODE...${recorders(options)}\`. It stops for the password of your Redis, and the same command goes on.
3. Bring the certificates to each machine${egressMachinesOf(options) > 0 ? " for calls" : ""}, as that section says.
4. Set the DNS records below, to the balancer.
5. \`sh cluster.sh doctor\` says what works and what to do next, on every machine.
6. On any machine: \`sudo livekit-deploy credentials\` shows the address, the API key and its secret for your back end.
`;

/** What the machines behind a balancer share, what it must do, and what happens when one of them is lost. */
export function balancedSection(options: DeploymentOptions): string {
  const balanced = balancedOf(options);
  if (!balanced) return "";
  const { machines, network } = balanced;
  return `## Behind a balancer

${machines} machines that are all alike have the same keys and one Redis, which is on none of them. None of them is the only one of its kind.
${recordersWords(options)}
1. **The balancer** passes TCP on port 443 on to port 443 of each machine. It does not end TLS and speaks no PROXY protocol:
   LiveKit would not read it. It asks each machine by \`GET /\` at port ${port.balancerCheck}, by HTTP in \`${network}\`: 200 is well, nothing else is. Do not let it
   ask LiveKit or port 443: LiveKit says 406 on all machines at once when Redis is away, and Caddy listens without LiveKit too.
   Its idle time is a minute or more. UDP and port 7881 lead past it, to each machine's own address.
2. **The machines**: on your computer, in the folder of these files, \`sh cluster.sh make FIRST NODE...${recorders(options)}\`. The first makes the secrets. It
   stops there until it has the password of your Redis: \`ssh -t FIRST sudo livekit-deploy set redis-password\`. The same command goes
   on, and brings the others what the first has, by your SSH. \`cluster.env\` beside it is the list of machines: keep it,
   and give it to whoever runs \`cluster.sh\` too. Where it lacks a machine that LiveKit knows, \`update\`, \`apply\` and \`rotate\` begin nothing.
3. **Certificates**: ${
    certificateDnsOf(options)
      ? `each machine for calls gets its own by DNS, with one name more that begins with \`m-\`: for the same names Let's Encrypt gives five in a
   week. For each: \`ssh -t MACHINE sudo livekit-deploy set dns-credentials\`, then \`sudo livekit-deploy certificate\`.`
      : "the same files on each machine for calls: `sudo livekit-deploy certificate FULLCHAIN.pem KEY.pem`."
  }
4. **DNS** leads to the balancer.

- **A machine dies**: the balancer leaves it out after some ten seconds. Its rooms begin anew on another machine as soon as their people are
  back, which LiveKit's clients do by themselves. \`sh cluster.sh leave NODE --gone\` forgets it.
- **Redis changes over** to its other node: calls go on, and for some seconds no new room begins.
- **Updates, new files, keys**: where a section below says \`sudo livekit-deploy update\` or \`apply\`, it is \`sh cluster.sh update\` or
  \`apply FILE.zip\` here, on your computer, and \`rotate api-key\` for keys. They take one machine after the other. A machine that drains
  gets no new connections once the balancer knows of it, then no new rooms, and waits for whom it relays and for its calls.
- **The private network** is trusted: who is in \`${network}\` sees whether a machine is well, and nothing more.
`;
}

/** Where the secrets of machines behind a balancer are, and how all of them get new ones. */
export const balancedSecrets = (options: DeploymentOptions): string => `## Secrets

The first machine makes the secrets, so none of these files holds any. Each machine has them in \`/opt/livekit/secrets.env\`,
which only root can read; \`make\` and \`join\` bring them there through your SSH.

- A new API key and secret, on your computer:
  1. \`sh cluster.sh rotate api-key\`. Each machine takes both keys once it has its turn.
  2. Give your back end the new pair, which \`sudo livekit-deploy credentials\` shows on any machine, and wait until the tokens
     that it signed with the old key have ended.
  3. \`sh cluster.sh rotate finish\` ends the old key.

  ${mixedKeys.replaceAll("\n", "\n  ")}
- Another password of your Redis at \`${redisAddressOf(options)}\`, or another key of your storage: \`sudo livekit-deploy set\` on the first
  machine of \`cluster.env\`, \`sudo livekit-deploy restart\` there, then \`sh cluster.sh join NODE\` for each of the others.
`;
