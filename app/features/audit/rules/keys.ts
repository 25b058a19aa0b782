import { isAtLeast, namesVersion } from "../../deployments/bundle/versions.ts";
import type { ComposeService } from "../compose-service.ts";
import { isOn, mapAt, textAt, valueAt } from "../files/configuration.ts";
import type { Place, Rule } from "../rule.ts";
import { type Setup, servicesAs } from "../setup.ts";
import { at, atService, inEach, inServices } from "./find.ts";
import { closestKey, deprecatedKeys, keysSince, knownKeys, unknownPaths } from "./known-keys.ts";
import { docs, issue, pull, sample, sourceFile } from "./sources.ts";

type Pair = { key: string; secret: string; place: (mend: string) => Place };

/** The API keys that LiveKit is given, as far as they stand in these files. */
function pairsOf({ livekit, services }: Setup): Pair[] {
  const ofFiles = livekit.flatMap((part) =>
    Object.entries(mapAt(part, "keys")).map(([key, secret]) => ({
      key,
      secret: String(secret ?? ""),
      place: (mend: string) => at(part, ["keys", key], mend, key),
    })),
  );
  const ofServices = services
    .filter(({ role }) => role === "livekit")
    .flatMap((service) =>
      [...(service.environment.LIVEKIT_KEYS ?? "").matchAll(/^\s*([^\s:]+):\s*(\S+)/gm)].map(
        ([, key = "", secret = ""]) => ({
          key,
          secret,
          place: (mend: string) => atService(service, ["environment"], mend, key),
        }),
      ),
    );
  return [...ofFiles, ...ofServices].filter(({ secret }) => !secret.includes("$"));
}

const examples = /^(devkey|key\d*|api-?key|APIxxx\w*)$/i;
const exampleSecrets = /^(secret\d*|devsecret)$/i;
const placeholder = /^(<.*>|\{\{.*\}\}|your[-_ ].*|change[-_ ]?me.*|replace[-_ ].*|x{3,}|\.{3})$/i;

const isPublic = ({ key, secret }: Pair): boolean =>
  exampleSecrets.test(secret) || (key === "devkey" && secret.length < 32);
const isPlaceholder = ({ key, secret }: Pair): boolean =>
  placeholder.test(key) || placeholder.test(secret) || (examples.test(key) && secret === "");

const newPair = "keys:\n  # openssl rand -base64 36\n  API_KEY: A_SECRET_OF_AT_LEAST_32_CHARACTERS";

/** Where LiveKit may get keys that we do not see. */
const mayHaveKeys = ({ environment, hasEnvironmentFile, command }: ComposeService): boolean =>
  hasEnvironmentFile ||
  Object.keys(environment).some((name) => /^LIVEKIT_(KEYS|KEY_FILE|CONFIG)/.test(name)) ||
  /LIVEKIT_KEYS|--key|--dev/.test(command);

/** Of unknown keys of one file. After so many it is another file than it seems. */
const maxUnknown = 20;

export const keyRules: readonly Rule[] = [
  {
    code: "keys.missing",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit has no API key",
    reason: "It does not start without one: each token and each call of its API is signed with it.",
    source: sample,
    find: inEach("livekit", (part, setup) => {
      const services = servicesAs(setup, "livekit");
      if (valueAt(part, "keys") ?? valueAt(part, "key_file") ?? part.isHelm) return;
      if (services.length === 0 || services.some(mayHaveKeys)) return;
      return at(part, ["keys"], newPair);
    }),
  },
  {
    code: "keys.public",
    fault: "insecure",
    severity: "critical",
    title: "An API key of the documentation's examples is in use",
    reason: "Everybody knows it, so everybody can make tokens, join each room and end it.",
    source: docs.local,
    find: (setup) =>
      pairsOf(setup)
        .filter(isPublic)
        .map(({ place }) => place(newPair)),
  },
  {
    code: "keys.placeholder",
    fault: "wrong",
    severity: "critical",
    title: "An API key is still a placeholder",
    reason: "Tokens that your app signs with its real key are refused.",
    source: docs.vm,
    find: (setup) =>
      pairsOf(setup)
        .filter((pair) => isPlaceholder(pair) && !isPublic(pair))
        .map(({ place }) => place(newPair)),
  },
  {
    code: "keys.short",
    fault: "insecure",
    severity: "critical",
    title: "An API secret has fewer than 32 characters",
    reason:
      "Whoever sees one token can try secrets until one fits, and then make tokens of their own.",
    source: issue("livekit/livekit", 2582),
    find: (setup) =>
      pairsOf(setup)
        .filter((pair) => pair.secret.length < 32 && !isPublic(pair) && !isPlaceholder(pair))
        .map(({ place }) => place(newPair)),
  },
  {
    code: "keys.different",
    fault: "wrong",
    severity: "critical",
    title: "A service signs with a key that LiveKit does not have",
    reason: "LiveKit answers it with 401: recordings, streams and calls by telephone do not begin.",
    source: issue("livekit/egress", 858),
    find: inEach(["egress", "ingress", "sip"], (part, setup) => {
      const pairs = pairsOf(setup);
      const [key, secret] = [textAt(part, "api_key"), textAt(part, "api_secret")];
      if (!key || pairs.length === 0 || key.includes("$")) return;
      if (setup.livekit.some((each) => valueAt(each, "key_file"))) return;
      const ours = pairs.find((each) => each.key === key);
      if (ours && (!secret || secret.includes("$") || ours.secret === secret)) return;
      return at(
        part,
        [ours ? "api_secret" : "api_key"],
        "# The same pair as under keys in livekit.yaml.\napi_key: API_KEY\napi_secret: ITS_SECRET",
        key,
      );
    }),
  },
  {
    code: "mode.development",
    fault: "insecure",
    severity: "critical",
    title: "LiveKit runs in development mode",
    reason:
      "Without keys of your own it accepts devkey and secret, which everybody knows, and it uses few ports.",
    source: docs.local,
    find: (setup) => [
      ...setup.livekit
        .filter((part) => isOn(part, "development"))
        .map((part) => at(part, ["development"], "development: false")),
      ...servicesAs(setup, "livekit")
        .filter(({ command }) => /(^|\s)--dev(\s|$)/.test(command))
        .map((service) => atService(service, ["command"], "command: --config /etc/livekit.yaml")),
    ],
  },
  {
    code: "logging.debug",
    fault: "slow",
    severity: "warning",
    title: "Everything is logged",
    reason:
      "At the level debug each packet of signalling is written: it takes processor and disk from calls.",
    source: sample,
    find: inEach(["livekit", "egress", "ingress", "sip"], (part) => {
      const path = textAt(part, "log_level") === "debug" ? ["log_level"] : ["logging", "level"];
      return textAt(part, ...path) === "debug"
        ? at(part, path, "logging:\n  level: info")
        : undefined;
    }),
  },
  {
    code: "livekit.key.unknown",
    fault: "wrong",
    severity: "critical",
    title: "LiveKit does not know a key",
    reason: "It reads its file strictly and does not start.",
    source: pull("livekit/livekit", 1051),
    find: inEach("livekit", (part) =>
      unknownPaths(part.value, knownKeys.livekit)
        .slice(0, maxUnknown)
        .filter((path) => !(part.isHelm && isOfChart(path)))
        .map((path) => at(part, path, mendOfUnknown(path, "livekit"), path.join("."))),
    ),
  },
  ...(["egress", "ingress", "sip"] as const).map(
    (kind): Rule => ({
      code: `${kind}.key.unknown`,
      fault: "wrong",
      severity: "warning",
      title: `${{ egress: "Egress", ingress: "Ingress", sip: "SIP" }[kind]} does not know a key`,
      reason: "It passes over it without a word, so what you wrote there has no effect.",
      source: {
        egress: issue("livekit/egress", 893),
        ingress: docs.ingress,
        sip: issue("livekit/sip", 407),
      }[kind],
      find: inEach(kind, (part) =>
        unknownPaths(part.value, knownKeys[kind])
          .slice(0, maxUnknown)
          .map((path) => at(part, path, mendOfUnknown(path, kind), path.join("."))),
      ),
    }),
  ),
  {
    code: "livekit.key.deprecated",
    fault: "outdated",
    severity: "warning",
    title: "A key of LiveKit's is deprecated",
    reason: "It works for now. A version that drops it does not start with this file.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part) =>
      deprecatedKeys.map(([path, mend]) => {
        const keys = path.split(".");
        return valueAt(part, ...keys) === undefined ? undefined : at(part, keys, mend, path);
      }),
    ),
  },
  {
    code: "livekit.key.newer",
    fault: "wrong",
    severity: "critical",
    title: "A key needs a later LiveKit than the Compose file has",
    reason: "This version does not know it, and does not start.",
    source: pull("livekit/livekit", 1051),
    find: inServices("livekit", ({ image }, { livekit }) => {
      const tag = image?.tag ?? "";
      if (!namesVersion(tag)) return;
      return livekit.flatMap((part) =>
        keysSince.map(([path, since]) => {
          const keys = path.split(".");
          if (valueAt(part, ...keys) === undefined || isAtLeast(tag, since)) return undefined;
          return at(part, keys, `# Needs LiveKit ${since}; leave it out, or update.`, path);
        }),
      );
    }),
  },
];

/** What the Helm chart reads of these values itself. */
const isOfChart = (path: readonly string[]): boolean =>
  /^(turn\.(secretName|loadBalancerAnnotations|serviceType)|storeKeysInSecret|keys)(\.|$)/.test(
    path.join("."),
  );

function mendOfUnknown(path: readonly string[], kind: keyof typeof knownKeys): string {
  const close = closestKey(path, knownKeys[kind]);
  const above = path.slice(0, -1);
  if (!close) return `# Leave ${path.join(".")} out.`;
  return [...above, close]
    .map((key, depth) => `${"  ".repeat(depth)}${key}:${depth === above.length ? " …" : ""}`)
    .join("\n");
}
