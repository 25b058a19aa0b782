import * as z from "zod/mini";
import { deploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** What each option is for, by its path. Editors show it while one types. */
const descriptions: Readonly<Record<string, string>> = {
  version: "The form of this file.",
  provider: "The cloud that runs the machine: its commands, sizes, regions and user-data limit.",
  region:
    "Where the machine stands: one of us-east, us-west, eu-west and asia-pacific, or the provider's own name. Choose the one nearest to the people who talk.",
  architecture: "The kind of processor. Not every provider has ARM's.",
  disk: "GB of the machine's disk, where it does not belong to the size.",
  size: "Cores of the machine. Recording whole rooms wants large.",
  system: "The operating system. Amazon Linux runs on AWS only.",
  domain: "The server's own name. Unicode is turned into punycode.",
  extraDomains: "Further names that lead to the same server.",
  email: "The account at the certificate authority; it gets warnings about expiry.",
  turn: "How people behind strict networks get through.",
  "turn.mode": "auto: turn.<domain>, over UDP and TLS. manual: a name and ways of your own.",
  "turn.domain": "The name for TURN over TLS.",
  "turn.udp": "TURN over UDP, port 3478.",
  "turn.tls": "TURN over TLS, port 443.",
  whipDomain: "The name for WHIP. Default: whip.<domain>.",
  firewall: "What the machine's and the provider's firewall let in.",
  "firewall.preset":
    "standard: the ports in use. strict: rate limits and a log too. custom: strict and your rules.",
  "firewall.rules": "Further ports to open.",
  sshSource: "Address ranges that may use SSH. Needed with strict and custom.",
  security: "How far the machine and the containers are hardened.",
  monitoring: "basic: a health check. advanced: metrics too. 24/7: alerts too.",
  alertUrl: "Where 24/7 monitoring posts JSON when the state changes.",
  ingress: "Streams from outside: RTMP, WHIP or both.",
  recording: "Where Egress stores recordings.",
  "recording.kind": "none, the machine's disk, a bucket of S3's kind, or Google Cloud Storage.",
  "recording.endpoint": "The address of a storage that is S3's kind but not Amazon's.",
  "recording.forcePathStyle": "Whether the bucket stands in the path rather than in the host name.",
  turnUdpPort: "The port of TURN over UDP.",
  mediaUdp: "range: 50000-60000/udp. single: all media on 7882/udp.",
  rooms: "Defaults of rooms. What LiveKit has by itself is not written.",
  "rooms.maxParticipants": "At most in a room; 0 is no limit.",
  "rooms.emptyTimeout": "Seconds that a room waits for its first participant.",
  "rooms.departureTimeout": "Seconds that a room waits after its last participant.",
  "rooms.createdByJoining": "Whether joining creates a room that is not there.",
  "rooms.codecs": "The codecs of rooms; an empty list is LiveKit's own.",
  limits: "From these on nobody new comes in; 0 is no limit.",
  "limits.tracks": "Tracks in and out.",
  "limits.bytesPerSecond": "Bytes in and out.",
  sip: "Telephone calls, by LiveKit's SIP service.",
  "sip.sources": "Address ranges of the trunk provider, for calls and media. Empty: everybody.",
  agent: "An agent worker beside LiveKit, from an image of your own.",
  "agent.image": "The image, with a version or a digest.",
  webhooks: "Addresses that LiveKit's events go to, signed with the key `webhooks`.",
  updates: "How often new images are looked for.",
  backups: "Redis, certificates, configuration and secrets.",
  "backups.frequency": "How often a backup is made.",
  "backups.ageRecipient": "An age public key. With it, backups are encrypted.",
  versions: "Image versions. Left out, they are the pinned ones.",
  redis: "Redis on the machine, or your own.",
  "redis.address": "Host and port of your Redis.",
  "redis.tls": "Whether Redis is reached by TLS.",
  addresses: "IPv4 alone, IPv6 as well, or IPv6 alone.",
  proxy: "existing: another proxy has port 443 and passes connections on by name.",
  secrets: "server: made on the machine at first boot. browser: made where the bundle is made.",
};

/** The options as JSON Schema 2020-12, described. Rules between options are checked by the program only. */
export function optionsSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(deploymentOptions(), { io: "input" });
  describe(schema, "");
  const { $schema, ...rest } = schema;
  return {
    $schema,
    title: "Deployment options",
    description: "What `npm run bundle` and the console make a LiveKit server from.",
    ...rest,
  };
}

function describe(schema: Schema, path: string): void {
  const words = descriptions[path];
  if (words !== undefined) schema.description = words;
  for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) inside(part, path);
  inside(schema, path);
}

function inside(schema: Schema, path: string): void {
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    if (typeof part === "object") describe(part, path === "" ? name : `${path}.${name}`);
}
