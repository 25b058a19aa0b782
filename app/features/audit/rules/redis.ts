import { isPublicAddress, publishes } from "../compose-service.ts";
import type { AuditedFile } from "../files/audited-file.ts";
import { isOn, listAt, numberAt, textAt, valueAt } from "../files/configuration.ts";
import { type Directive, directivesOf } from "../files/plain-file.ts";
import type { Place, Rule } from "../rule.ts";
import { type Part, type Setup, servicesAs, textsOf } from "../setup.ts";
import { at, atService, inEach, inServices } from "./find.ts";
import { isLocal } from "./network.ts";
import { docs, issue, sample } from "./sources.ts";

const redisAt = (part: Part): string | undefined => {
  const [first] = [
    ...listAt(part, "redis", "sentinel_addresses"),
    ...listAt(part, "redis", "cluster_addresses"),
  ];
  return textAt(part, "redis", "address") ?? (first === undefined ? undefined : String(first));
};

/** `localhost` and 127.0.0.1 are one machine. */
const sameAddress = (one: string, other: string): boolean => {
  const [ours, theirs] = [one, other].map((address) => {
    const [, host = "", port = "6379"] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
    return `${isLocal(host) ? "localhost" : host}:${port}`;
  });
  return ours === theirs;
};

/** A line of redis.conf; the last one counts. */
function line(file: AuditedFile, name: string): Directive | undefined {
  return directivesOf(file.text).findLast((each) => each.name === name);
}

const place = (file: AuditedFile, directive: Directive | undefined, mend: string): Place => ({
  file: file.name,
  line: directive?.line ?? 1,
  mend,
});

/** Each redis.conf. */
const inRedis =
  (finder: (file: AuditedFile, setup: Setup) => Place | undefined) => (setup: Setup) =>
    textsOf(setup, "redis").map((file) => finder(file, setup));

const listensPublicly = (file: AuditedFile): boolean => {
  const bind = line(file, "bind")?.value;
  if (bind === undefined) return line(file, "protected-mode")?.value === "no";
  return bind.split(/\s+/).some((each) => !/^-?(127\.|::1$|localhost$)/.test(each));
};

/** Whether a service of Compose gives Redis or its clients a password that the files do not have. */
const getsPassword = ({ services }: Setup): boolean =>
  services.some(
    ({ role, command, environment, hasEnvironmentFile }) =>
      /requirepass/.test(command) ||
      environment.REDIS_PASSWORD !== undefined ||
      (hasEnvironmentFile && (role === "redis" || role === "livekit")),
  );

export const redisRules: readonly Rule[] = [
  {
    code: "redis.missing",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit has no Redis, and a service needs it",
    reason:
      "Egress, Ingress and SIP get their work through Redis: each request fails with “not connected (redis required)”.",
    source: issue("livekit/egress", 344),
    find: inEach("livekit", (part, setup) => {
      const needs =
        setup.egress.length + setup.ingress.length + setup.sip.length > 0 ||
        setup.services.some(({ role }) => role && ["egress", "ingress", "sip"].includes(role));
      const given = servicesAs(setup, "livekit").some(({ environment }) => environment.REDIS_HOST);
      return needs && !given && redisAt(part) === undefined
        ? at(part, ["redis"], "redis:\n  address: 127.0.0.1:6379")
        : undefined;
    }),
  },
  {
    code: "redis.placeholder",
    fault: "wrong",
    severity: "critical",
    title: "The address of Redis is still a placeholder",
    reason: "LiveKit and its services do not start without their Redis.",
    source: issue("livekit/livekit", 1901),
    find: inEach(["livekit", "egress", "ingress", "sip"], (part) => {
      const address = redisAt(part) ?? "";
      return /^(<.*>|redis\.host|your-)/.test(address)
        ? at(part, ["redis", "address"], "redis:\n  address: 127.0.0.1:6379", address)
        : undefined;
    }),
  },
  {
    code: "redis.different",
    fault: "wrong",
    severity: "critical",
    title: "A service uses another Redis than LiveKit",
    reason: "LiveKit's requests never reach it: no response from servers.",
    source: issue("livekit/livekit", 3961),
    find: inEach(["egress", "ingress", "sip"], (part, { livekit: [livekit] }) => {
      const [ours, theirs] = [livekit && redisAt(livekit), redisAt(part)];
      if (!livekit || !ours || !theirs || /[<$]/.test(ours + theirs)) return;
      const database = (each: Part) => numberAt(each, "redis", "db") ?? 0;
      if (sameAddress(ours, theirs) && database(livekit) === database(part)) return;
      return at(
        part,
        ["redis", "address"],
        `redis:\n  address: ${ours}${database(livekit) ? `\n  db: ${database(livekit)}` : ""}`,
        theirs,
      );
    }),
  },
  {
    code: "redis.port.different",
    fault: "wrong",
    severity: "critical",
    title: "Redis listens on another port than LiveKit asks",
    reason: "LiveKit does not start: unable to connect to redis.",
    source: issue("livekit/livekit", 2582),
    find: inRedis((file, { livekit: [livekit] }) => {
      const wanted =
        livekit && /^(?:localhost|127\.[\d.]+):(\d+)$/.exec(redisAt(livekit) ?? "")?.[1];
      const port = line(file, "port");
      return wanted && port && port.value !== wanted
        ? place(file, port, `port ${wanted}`)
        : undefined;
    }),
  },
  {
    code: "redis.password.missing",
    fault: "insecure",
    severity: "critical",
    title: "Redis listens beyond its machine without a password",
    reason: "Whoever reaches it can read and change rooms, and run programs on it.",
    source: "https://redis.io/docs/latest/operate/oss_and_stack/management/security/",
    find: inRedis((file, setup) =>
      listensPublicly(file) &&
      !line(file, "requirepass") &&
      !line(file, "aclfile") &&
      !getsPassword(setup)
        ? place(file, line(file, "bind"), "bind 127.0.0.1 -::1\nrequirepass A_LONG_RANDOM_PASSWORD")
        : undefined,
    ),
  },
  {
    code: "redis.password.different",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit does not send the password that Redis wants",
    reason: "Redis refuses it, and LiveKit does not start.",
    source: sample,
    find: inRedis((file, setup) => {
      const wanted = line(file, "requirepass");
      const [part] = setup.livekit;
      if (!wanted || !part || redisAt(part) === undefined || getsPassword(setup)) return;
      const sent = textAt(part, "redis", "password");
      const plain = wanted.value.replace(/^(["'])(.*)\1$/, "$2");
      if (sent === plain || /\$/.test(plain + (sent ?? ""))) return;
      return at(part, ["redis", "password"], "redis:\n  password: THE_PASSWORD_OF_REDIS.CONF");
    }),
  },
  {
    code: "redis.eviction",
    fault: "wrong",
    severity: "warning",
    title: "Redis throws keys away when its memory is full",
    reason: "Rooms, trunks and ingresses are such keys: calls fall apart, and nothing says why.",
    source: "https://redis.io/docs/latest/develop/reference/eviction/",
    find: inRedis((file) => {
      const policy = line(file, "maxmemory-policy");
      return policy && policy.value !== "noeviction"
        ? place(file, policy, "maxmemory-policy noeviction")
        : undefined;
    }),
  },
  {
    code: "redis.public",
    fault: "insecure",
    severity: "critical",
    title: "Docker publishes Redis to everybody",
    reason:
      "Docker's rules come before the system's firewall, so that ufw does not close this port.",
    source: issue("RedisJSON/RedisJSON", 856),
    find: inServices("redis", (service) => {
      const open = publishes(service, 6379, "tcp");
      return open && isPublicAddress(open.address)
        ? atService(service, open.path, 'ports:\n  - "127.0.0.1:6379:6379"')
        : undefined;
    }),
  },
  {
    code: "redis.volume.missing",
    fault: "wrong",
    severity: "warning",
    title: "Redis has no volume for its data",
    reason: "A new container begins empty: trunks of SIP, dispatch rules and ingresses are gone.",
    source: docs.sip,
    find: inServices("redis", (service) =>
      service.mounts.some((path) => path === "/data" || path.startsWith("/data/"))
        ? undefined
        : atService(service, ["volumes"], "volumes:\n  - ./data/redis:/data"),
    ),
  },
  {
    code: "redis.tls.unchecked",
    fault: "insecure",
    severity: "warning",
    title: "The certificate of Redis is not checked",
    reason: "Whoever is on the way can pose as Redis, and read and change what LiveKit writes.",
    source: "https://docs.livekit.io/deploy/distributed",
    find: inEach(["livekit", "egress", "ingress", "sip"], (part) =>
      isOn(part, "redis", "tls", "insecure")
        ? at(
            part,
            ["redis", "tls", "insecure"],
            "redis:\n  tls:\n    enabled: true\n    insecure: false",
          )
        : undefined,
    ),
  },
  {
    code: "redis.service.missing",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit asks for its Redis in its own container",
    reason: "On Docker's bridge localhost is the container itself, and no Redis runs there.",
    source: docs.vm,
    find: inEach(["livekit", "egress", "ingress", "sip"], (part, setup) => {
      const address = redisAt(part) ?? "";
      const [service] = setup.services.filter(({ role }) => role === roleOf(part, setup));
      const [redis] = servicesAs(setup, "redis");
      if (!service || service.isHost || !redis || redis.isHost) return;
      return isLocal(address.replace(/:\d+$/, ""))
        ? at(part, ["redis", "address"], `redis:\n  address: ${redis.name}:6379`, address)
        : undefined;
    }),
  },
];

function roleOf(part: Part, setup: Setup) {
  for (const kind of ["egress", "ingress", "sip"] as const)
    if (setup[kind].some((each) => each.file === part.file)) return kind;
  return valueAt(part, "redis") === undefined ? undefined : "livekit";
}
