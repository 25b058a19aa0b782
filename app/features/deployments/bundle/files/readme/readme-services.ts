import {
  egressMachinesOf,
  hasEgress,
  hasSip,
  severalOf,
  sipSourcesOf,
  usesInstanceRole,
} from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { port } from "../../ports.ts";

/** Where recordings go, and what Egress may do. */
export function storage(options: DeploymentOptions): string {
  const { recording } = options;
  if (!hasEgress(options)) return "";
  const words =
    recording.kind === "local"
      ? `They are in \`/opt/livekit/out\` on ${severalOf(options) ? `whichever machine for ${egressMachinesOf(options) > 0 ? "recording" : "calls"} recorded, each with its own` : "the machine"}: ask Egress for a path without a leading slash, such as
\`"filepath": "{room_name}-{time}.mp4"\`. About 1.4 GB an hour for a whole room: empty it in time.`
      : recording.kind === "none"
        ? ""
        : `They go to the bucket \`${recording.bucket}\`. ${
            usesInstanceRole(options)
              ? "The machine's role must be able to write there, and needs nothing else."
              : `Give the keys with \`sudo livekit-deploy set storage-keys${recording.kind === "gcs" ? " KEY.json" : ""}\`, then \`sudo livekit-deploy restart\`.`
          }`;
  return `## Recordings

${words}

Egress runs without special rights, and its browser therefore without a sandbox of its own. That is fit for
LiveKit's templates and for pages of yours. Before you let it record pages that others choose, give Egress a
machine of its own with LiveKit's seccomp profile and \`enable_chrome_sandbox: true\`, as its README describes.
${severalOf(options) ? "" : templates(options)}`;
}

/** Of several machines recorders join by the domain, and so do templates. */
const templates = ({ domain }: DeploymentOptions): string => `
A template of yours gets LiveKit's address as \`ws://127.0.0.1:${port.livekit}\`. Chrome may keep a page of a public site from
such addresses, and we have not tried one. If it does not connect, write \`ws_url: wss://${domain}\` into
\`/opt/livekit/egress.yaml\` and run \`sudo livekit-deploy restart\`. \`apply\` writes that file anew.
`;

/** Calls by SIP: what the trunk needs to know, and scanners. */
export function telephone(options: DeploymentOptions): string {
  if (!hasSip(options)) return "";
  return `## Telephone calls

SIP answers at \`${options.domain}:${port.sip}\`, by UDP and TCP without encryption. Make a trunk and a dispatch rule with LiveKit's
API or its command \`lk sip\`, and point the trunk of your provider here.

- ${
    sipSourcesOf(options).some((source) => source.endsWith("/0"))
      ? "The ports are open to everybody, and scanners find 5060 within minutes: name your provider's networks as sources."
      : "Only the networks above reach these ports. Providers may send media from other networks than calls: name both."
  }
- Whoever calls without a trunk that fits gets no answer. Give every inbound trunk a password or \`allowed_addresses\`, so
  that nobody calls at your cost.
- A stop or an update waits for a quiet moment, as for every call; what still runs then is hung up.
`;
}

/** The customer's own agent: its environment, its image and its rights. */
export function agentWorker({ agent, architecture }: DeploymentOptions): string {
  if (agent.kind === "none") return "";
  return `## Agent worker

\`${agent.image}\` runs beside LiveKit, with \`LIVEKIT_URL\`, \`LIVEKIT_API_KEY\` and \`LIVEKIT_API_SECRET\` set. It is given no other
secret of this machine, but it has the host's network: while its image runs as root, it can ask the provider's metadata
for the keys of the machine's role and for its user data, which the firewall keeps from other users. Give the image a
user of its own (\`USER 10001\` in its Dockerfile; not 1001, which is Egress's), and run no image that you do not trust.

- The image must be built for this machine's processor, linux/${architecture}.
- What else it needs, such as keys of models, goes into \`/opt/livekit/agent.env\`: a line \`NAME='value'\` each, then
  \`sudo livekit-deploy restart\`. Backups hold this file.
- From a private registry: \`sudo docker login REGISTRY\` once, then \`sudo livekit-deploy restart\`. LiveKit starts
  without the worker while its image cannot be fetched, and the doctor says so. An update says so too, and updates the rest.
- Another version: \`sudo livekit-deploy update --to agent=TAG\`.
- A stop or an update waits for a quiet moment, as for every call. Then a worker takes no new jobs, and those it has end
  with their rooms, within two minutes.
- It has the host's network. The firewall keeps its ports shut, so it needs none open.
- The rule of thumb is 4 cores for 25 voice agents, beside what calls take.
`;
}

/** Where LiveKit sends its webhooks, and how a receiver verifies them. */
export function webhooks({ webhooks }: DeploymentOptions): string {
  if (webhooks.length === 0) return "";
  return `## Webhooks

LiveKit tells these addresses what happens in its rooms:

${webhooks.map((url) => `- \`${url}\`\n`).join("")}
Each message is signed with a key of its own, named \`webhooks\`, so \`rotate api-key\` changes nothing for a receiver.
\`sudo livekit-deploy credentials\` shows its secret. A receiver gives both to LiveKit's SDK and passes on the body
as it came, byte for byte, with the \`Authorization\` header:

\`\`\`js
const { WebhookReceiver } = await import("livekit-server-sdk");
const receiver = new WebhookReceiver("webhooks", process.env.WEBHOOK_SECRET);
const event = await receiver.receive(body, authorization);
\`\`\`

LiveKit knows one kind of key: whoever has this secret can sign tokens for every room too. Keep it as well as the API
secret. For a new one, take the line \`WEBHOOK_SECRET\` out of \`/opt/livekit/secrets.env\` and restart LiveKit.
A message that is not taken is sent again a few times and then lost; messages can come twice and in another order.
`;
}
