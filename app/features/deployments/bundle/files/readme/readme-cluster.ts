import { clusterFindings } from "../../findings.ts";
import { machineCommands, nodeWords } from "../../machine-commands.ts";
import { clusterOf, egressMachinesOf, hasEgress } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";

/** How machines that were made alike become a cluster. `creation` says how they are made. */
export function clusterStart(options: DeploymentOptions, creation: string): string {
  return `## Start

1. ${creation}
2. On your computer, in the folder of these files, by your SSH: \`sh cluster.sh make EDGE ${nodeWords(options)}\`. Each is an address
   by which you log in, such as \`${machineCommands(options).user || "you"}@203.0.113.2\`. Where a first boot has not ended yet (\`cloud-init status --wait\`
   on the machine), it says so, and the same command goes on later.
3. Set the DNS records below, to the edge. Certificates come once they are right and port 80 of the edge is reachable.
4. \`sh cluster.sh doctor\` says what works and what to do next, on every machine.
5. On the edge: \`sudo livekit-deploy credentials\` shows the address, the API key and its secret for your back end.

\`cluster.env\`, which \`make\` writes beside \`cluster.sh\`, names the edge. Copy it to the folder of a later zip, or write
\`EDGE=USER@HOST\` before a command. \`SSH_OPTIONS='-i KEY'\` gives ssh more options.
`;
}

/** What the machines for recording are, and what one of them that is away means; empty where there is none. */
export function recordersWords(options: DeploymentOptions): string {
  const count = egressMachinesOf(options);
  if (count === 0) return "";
  return `
The **machine${count === 1 ? "" : "s"} for recording** ${count === 1 ? "has" : "have"} Egress alone, which finds its work in Redis, joins rooms by the domain, and opens no port.
When one dies its recordings end and calls go on; ${count === 1 ? "it is the only one, so nothing is recorded until it is back" : "another one takes the next recording"}. One that drains takes no new recording, waits
for those it has, ${options.drain.minutes} minutes at most, and then ends and saves them.
`;
}

const joinRow = (options: DeploymentOptions): string =>
  egressMachinesOf(options) === 0
    ? ""
    : "| `sh cluster.sh join --egress NODE` | A machine for recording |\n";

/** What a rotation means for calls while machines have different keys: they take it one after the other. */
export const mixedKeys = `LiveKit renews the tokens of running calls, with any of its keys. While machines have different keys, some of those whose
connection moves to another machine are refused there, and need a new token from your app, as when they join: rotate keys in
a quiet hour.`;

/** What a cluster is, what its owner does, and what happens when a part of it is away; empty for one server. */
export function clusterSection(options: DeploymentOptions): string {
  const cluster = clusterOf(options);
  if (!cluster) return "";
  return `## The cluster

The **edge** has Caddy with the certificates, and Redis. The **machines for calls** have LiveKit${hasEgress(options) && egressMachinesOf(options) === 0 ? " and Egress" : ""}: a room is on one of
them, and people come to it whichever machine they reached. All have the same files; what a machine is stands in its
\`/opt/livekit/.env\`.
${recordersWords(options)}
Everything that concerns all machines is done from your computer. Where a section below says \`sudo livekit-deploy update\`,
\`apply\` or \`rotate\`, it is this here, which takes one machine after the other, waits for its calls, looks whether it is
well, and stops at the first that is not. It says which one and what is next, and the same command then goes on there.

| Command | What it does |
|---|---|
| \`sh cluster.sh join NODE\` | A machine takes calls, or gets what changed in the secrets of the edge |
${joinRow(options)}| \`sh cluster.sh leave NODE\` | It gets no new calls, waits for those it has, stops, and forgets role and secrets${options.recording.kind === "local" ? "; it says how many recordings lie there" : ""} |
| \`sh cluster.sh leave NODE --gone\` | The same for a machine that is lost: only the edge forgets it |
| \`sh cluster.sh nodes\`, \`doctor\` | Which machines there are, and how each is |
| \`sh cluster.sh update [--to COMPONENT=TAG]\` | New images; the edge last |
| \`sh cluster.sh apply FILE.zip\` | A changed bundle; the edge last |
| \`sh cluster.sh rotate api-key\` | A second API key on all machines, then the new one for your back end; \`rotate finish\` ends the old one |
| \`sh cluster.sh rotate redis\` | A new password: Redis takes both until every machine has it |

${mixedKeys} Machines sign credentials of TURN with either key too, so who needs TURN over TLS may have to try twice.
After \`sudo livekit-deploy set\` or \`restore\` on the edge, \`sh cluster.sh join NODE\` brings each machine what changed. A machine
reboots for a system update when you do it: one after the other, with \`sudo systemctl stop livekit.service\`, which waits for
its calls, and then \`sudo reboot\`, which alone would wait for 30 minutes at most.

**A drain** here first refuses new people who need TURN over TLS, whom another machine then relays, and waits for those it
relays, half of its time at most: their rooms are mostly elsewhere. Then LiveKit gets a signal, from which on the others get the
new rooms. It waits until the calls here have ended, ${options.drain.minutes} minutes at most in all, and then kills LiveKit, so that people who
are still there come back by themselves on another machine within 5 to 10 seconds.

### When something is away

| What | What happens |
|---|---|
| A machine for calls | Its people are back on another one after 5 to 10 seconds, by themselves; after up to 20 where it lost its power. The edge gives it no connections after two seconds |
| The edge | **It is the one point of failure.** Running calls over UDP go on. Nobody joins, calls relayed by TURN over TLS break off, and who loses the connection comes back when it does |
| The edge's machine, for good | A new one: \`sudo livekit-deploy cluster edge\`, \`sudo livekit-deploy restore FILE\` with its newest backup, DNS, then \`EDGE=USER@HOST sh cluster.sh join NODE\` for each. Keep its backups elsewhere |
| Redis, for a moment | Calls go on. New ones wait until it is back, with all that it had; after a power cut of the edge, with what it had a second before. Keep some of the edge's disk free: with a full one no room begins |
| What Redis has, for good | Every machine for calls notices within two seconds and begins LiveKit anew, so that no room is there twice. All people come back by themselves |

The private network \`${cluster.network}\` is trusted: LiveKit and Redis listen in it, Redis with a password and without encryption.
Whoever reads its packets reads signalling with its tokens, and that password; media are encrypted. Give it to no other machines. The clocks have
to agree within two seconds, which NTP does.

### From one server to this cluster, and back

1. Make the machines, as under Start.
2. \`sh cluster.sh make --from SERVER EDGE ${nodeWords(options)}\`. API keys, certificates and what Redis has (trunks, dispatch rules) go
   from the server through your SSH to the edge, and lie on no disk of yours. The server runs on with its calls.
3. Let the DNS records lead to the edge; give them a time to live of a minute beforehand. New calls are in the cluster from
   then on. People in a room that is still on the server are not in the room of that name here: do it in a quiet hour.
4. When its last call has ended (\`sudo livekit-deploy drain\` there), delete the server, after some days.

The way back, until you delete it: let the DNS records lead to the server again. If it took later files,
\`sudo livekit-deploy apply FILE.zip\` with those of before. What changed in Redis meanwhile is on one side only. Later, or to
one server from a cluster: make a machine from files with one server, give it the key by \`sudo livekit-deploy set api-key\`,
and move the DNS records.

### What the doctor finds in a cluster

| Code | Severity | What it means |
|---|---|---|
${Object.entries(clusterFindings)
  .map(([code, { severity, title }]) => `| \`${code}\` | ${severity} | ${title} |\n`)
  .join("")}`;
}

/** Where the secrets of a cluster are. */
export const clusterSecrets = `## Secrets

The edge makes the secrets when it becomes the edge, so none of these files holds any. Each machine has them in
\`/opt/livekit/secrets.env\`, which only root can read; they come to it through your SSH, and stand in no argument, no log and no
file on your computer. A machine that leaves forgets them; backups that lie on it hold them still. After the loss of one: \`sh cluster.sh rotate redis\`, and
\`sh cluster.sh rotate api-key\`.
`;
