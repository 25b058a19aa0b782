import { isOn, listAt, mapAt, numberAt, textAt, valueAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { coresOf } from "./compose.ts";
import { at, atService, inEach, inServices } from "./find.ts";
import { isLocal } from "./network.ts";
import { addressOf } from "./services.ts";
import { docs, egressReadme, issue, pull } from "./sources.ts";

const storages = ["s3", "gcp", "azure", "alioss"] as const;
const storageSecrets = [
  ["s3", "secret"],
  ["azure", "account_key"],
  ["alioss", "secret"],
  ["gcp", "credentials_json"],
] as const;

export const egressRules: readonly Rule[] = [
  {
    code: "egress.insecure.missing",
    fault: "wrong",
    severity: "critical",
    title: "The browser of Egress refuses to connect to LiveKit",
    reason:
      "It speaks ws: to its own machine only. Elsewhere it needs wss:, or insecure where the network is yours.",
    source: egressReadme,
    find: inEach("egress", (part) => {
      const { scheme, host } = addressOf(textAt(part, "ws_url") ?? "");
      return scheme === "ws" && !isLocal(host) && !isOn(part, "insecure")
        ? at(part, ["ws_url"], "insecure: true", host)
        : undefined;
    }),
  },
  {
    code: "egress.insecure.unneeded",
    fault: "insecure",
    severity: "warning",
    title: "The browser of Egress may connect without TLS",
    reason:
      "LiveKit is asked by wss: here, so that insecure only takes protection from pages that are recorded.",
    source: egressReadme,
    find: inEach("egress", (part) =>
      isOn(part, "insecure") && addressOf(textAt(part, "ws_url") ?? "").scheme === "wss"
        ? at(part, ["insecure"], "insecure: false")
        : undefined,
    ),
  },
  {
    code: "egress.cost.low",
    fault: "slow",
    severity: "warning",
    title: "Egress takes more recordings than it can make",
    reason:
      "With costs below the real ones a machine takes everything, and all recordings stutter or end.",
    source: issue("livekit/egress", 893),
    find: inEach("egress", (part) =>
      [
        ["room_composite_cpu_cost", 4, 2],
        ["web_cpu_cost", 4, 2],
        ["participant_cpu_cost", 2, 1],
      ].map(([key, usual, least]) => {
        const cost = numberAt(part, "cpu_cost", String(key));
        return cost !== undefined && cost > 0 && cost < Number(least)
          ? at(part, ["cpu_cost", String(key)], `cpu_cost:\n  ${key}: ${usual}`, `${key} ${cost}`)
          : undefined;
      }),
    ),
  },
  {
    code: "egress.storage.several",
    fault: "wrong",
    severity: "critical",
    title: "Egress has more than one storage",
    reason: "It uses one of them. Recordings that you look for in the other are not there.",
    source: docs.egress,
    find: inEach("egress", (part) => {
      const given = storages.filter((each) => valueAt(part, "storage", each) !== undefined);
      return given.length > 1
        ? at(
            part,
            ["storage", given[1] ?? ""],
            `storage:\n  ${given[0]}:\n    bucket: …`,
            given.join(", "),
          )
        : undefined;
    }),
  },
  {
    code: "egress.storage.bucket",
    fault: "wrong",
    severity: "critical",
    title: "The storage of Egress has no bucket",
    reason: "A recording runs to its end, and then there is nowhere to put it.",
    source: docs.egress,
    find: inEach("egress", (part) =>
      (["s3", "gcp", "alioss"] as const).map((each) =>
        Object.keys(mapAt(part, "storage", each)).length > 0 &&
        !textAt(part, "storage", each, "bucket")
          ? at(part, ["storage", each], `storage:\n  ${each}:\n    bucket: YOUR_BUCKET`, each)
          : undefined,
      ),
    ),
  },
  {
    code: "egress.storage.secret",
    fault: "insecure",
    severity: "warning",
    title: "The secret of a storage stands in the file",
    reason:
      "Whoever sees a backup or a repository with this file can read and delete all recordings.",
    source: docs.egress,
    find: inEach("egress", (part) =>
      storageSecrets.map(([each, key]) => {
        const secret = textAt(part, "storage", each, key);
        return secret && !secret.includes("$")
          ? at(
              part,
              ["storage", each, key],
              each === "s3"
                ? "storage:\n  s3:\n    bucket: YOUR_BUCKET\n    # The machine's role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
                : `# Leave storage.${each}.${key} out, and give the machine a role.`,
              `storage.${each}.${key}`,
            )
          : undefined;
      }),
    ),
  },
  {
    code: "egress.cpus.few",
    fault: "slow",
    severity: "critical",
    title: "Egress has fewer than four cores",
    reason: "It refuses to record whole rooms and web pages, which it counts with four each.",
    source: issue("livekit/egress", 747),
    find: inServices("egress", (service) => {
      const cores = coresOf(service.at);
      return cores !== undefined && cores < 4
        ? atService(service, ["cpus"], "cpus: 5", `${cores} cores`)
        : undefined;
    }),
  },
  {
    code: "egress.capabilities",
    fault: "insecure",
    severity: "warning",
    title: "Egress may do what it does not need",
    reason: "SYS_ADMIN is nearly root. Its browser needs it only with enable_chrome_sandbox.",
    source: pull("livekit/livekit-helm", 81),
    find: inServices("egress", (service, { egress }) => {
      const added = listAt(service.at, "cap_add").map(String);
      const index = added.findIndex((each) => /^(CAP_)?SYS_ADMIN$/i.test(each));
      if (index < 0 || egress.length === 0) return;
      return egress.some((part) => isOn(part, "enable_chrome_sandbox"))
        ? undefined
        : atService(service, ["cap_add", index], "# and no cap_add", added[index]);
    }),
  },
  {
    code: "egress.sandbox",
    fault: "wrong",
    severity: "critical",
    title: "The browser of Egress cannot make its sandbox",
    reason: "Each recording of a room fails: No usable sandbox.",
    source: issue("livekit/egress", 434),
    find: inServices("egress", (service, { egress }) => {
      const part = egress.find((each) => isOn(each, "enable_chrome_sandbox"));
      const may =
        listAt(service.at, "cap_add").some((each) => /SYS_ADMIN/i.test(String(each))) ||
        listAt(service.at, "security_opt").some((each) => /seccomp/.test(String(each))) ||
        isOn(service.at, "privileged");
      return part && !may
        ? atService(
            service,
            ["security_opt"],
            "security_opt:\n  - seccomp=chrome-sandboxing-seccomp-profile.json",
          )
        : undefined;
    }),
  },
  {
    code: "egress.output.lost",
    fault: "wrong",
    severity: "warning",
    title: "Recordings stay in the container",
    reason: "There is neither a storage nor a volume: with the next container they are gone.",
    source: issue("livekit/livekit", 2375),
    find: inServices("egress", (service, { egress: [part] }) => {
      if (!part || service.environment.EGRESS_CONFIG_BODY) return;
      const folders = service.mounts.filter((path) => !/\.ya?ml$/.test(path));
      const uploads = valueAt(part, "storage") ?? valueAt(part, "disallow_local_storage");
      return uploads === undefined && folders.length === 0
        ? atService(service, ["volumes"], "volumes:\n  - ./out:/out")
        : undefined;
    }),
  },
];
