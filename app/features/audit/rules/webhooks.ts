import { isOn, listAt, mapAt, textAt, textsAt } from "../files/configuration.ts";
import type { Rule } from "../rule.ts";
import { servicesAs } from "../setup.ts";
import { at, inEach } from "./find.ts";
import { isLocal, isPrivate } from "./network.ts";
import { docs, issue, sample, sourceFile } from "./sources.ts";

const hostOf = (address: string): string =>
  /^[a-z]+:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/i.exec(address)?.[1] ?? "";

const example = /(^|\.)(your-?host|yourhost|your-?domain|myhost|example)\.(com|org|net)$/;

export const webhookRules: readonly Rule[] = [
  {
    code: "webhook.key.missing",
    fault: "wrong",
    severity: "critical",
    title: "Webhooks have no key that signs them",
    reason: "LiveKit does not start: api_key is required to use webhooks.",
    source: issue("livekit/livekit", 2482),
    find: inEach("livekit", (part, setup) =>
      listAt(part, "webhook", "urls").length > 0 &&
      !textAt(part, "webhook", "api_key") &&
      !servicesAs(setup, "livekit").some(
        ({ environment, hasEnvironmentFile, command }) =>
          hasEnvironmentFile ||
          environment.LIVEKIT_WEBHOOK_API_KEY ||
          /WEBHOOK_API_KEY/.test(command),
      )
        ? at(part, ["webhook"], "webhook:\n  # One of those under keys.\n  api_key: API_KEY")
        : undefined,
    ),
  },
  {
    code: "webhook.key.unknown",
    fault: "wrong",
    severity: "critical",
    title: "Webhooks are signed with a key that LiveKit does not have",
    reason: "It does not start, because it has no secret to sign with.",
    source: sample,
    find: inEach("livekit", (part) => {
      const key = textAt(part, "webhook", "api_key");
      const keys = Object.keys(mapAt(part, "keys"));
      return key && keys.length > 0 && !keys.includes(key)
        ? at(part, ["webhook", "api_key"], `webhook:\n  api_key: ${keys[0]}`, key)
        : undefined;
    }),
  },
  {
    code: "webhook.plain",
    fault: "insecure",
    severity: "warning",
    title: "A webhook goes over the internet in clear",
    reason:
      "It has names of rooms and people and their metadata, and everybody on the way reads them.",
    source: "https://docs.livekit.io/home/server/webhooks/",
    find: inEach("livekit", (part) =>
      textsAt(part, "webhook", "urls").map((url, index) => {
        const host = hostOf(url);
        // A name without a dot is one of the same Docker network or cluster.
        if (!/^http:/i.test(url) || isLocal(host) || isPrivate(host) || !host.includes("."))
          return undefined;
        if (/\.(svc|local|internal)(\.|$)/.test(host)) return undefined;
        return at(
          part,
          ["webhook", "urls", index],
          `webhook:\n  urls:\n    - ${url.replace(/^http:/i, "https:")}`,
          host,
        );
      }),
    ),
  },
  {
    code: "webhook.placeholder",
    fault: "wrong",
    severity: "warning",
    title: "A webhook goes to the address of an example",
    reason:
      "Nobody takes it there: LiveKit tries each event again and again, and your app hears nothing.",
    source: sample,
    find: inEach("livekit", (part) =>
      textsAt(part, "webhook", "urls").map((url, index) =>
        example.test(hostOf(url)) && !/\.example\.(com|org|net)$/.test(hostOf(url))
          ? at(
              part,
              ["webhook", "urls", index],
              "webhook:\n  urls:\n    - https://YOUR_APP/livekit-events",
              hostOf(url),
            )
          : undefined,
      ),
    ),
  },
  {
    code: "ingress.urls.missing",
    fault: "wrong",
    severity: "warning",
    title: "LiveKit does not know where streams go in",
    reason: "Whoever makes an ingress gets no address to send to.",
    source: docs.ingress,
    find: inEach("livekit", (part, setup) =>
      setup.ingress.length + servicesAs(setup, "ingress").length > 0 &&
      !textAt(part, "ingress", "rtmp_base_url") &&
      !textAt(part, "ingress", "whip_base_url")
        ? at(
            part,
            ["ingress"],
            "ingress:\n  rtmp_base_url: rtmp://livekit.example.com:1935/x\n  whip_base_url: https://whip.example.com/w",
          )
        : undefined,
    ),
  },
  {
    code: "ingress.url.broken",
    fault: "wrong",
    severity: "critical",
    title: "An address for streams has no host that others reach",
    reason:
      "Whoever makes an ingress gets this address, and an encoder elsewhere finds nobody there.",
    source: docs.ingress,
    find: inEach("livekit", (part) =>
      ["rtmp_base_url", "whip_base_url"].map((key) => {
        const url = textAt(part, "ingress", key);
        const host = url === undefined ? "" : hostOf(url);
        return url !== undefined && (host === "" || isLocal(host))
          ? at(
              part,
              ["ingress", key],
              `ingress:\n  ${key}: ${key.startsWith("rtmp") ? "rtmp://livekit.example.com:1935/x" : "https://whip.example.com/w"}`,
              url,
            )
          : undefined;
      }),
    ),
  },
  {
    code: "ingress.whip.plain",
    fault: "insecure",
    severity: "warning",
    title: "Streams by WHIP come in over HTTP",
    reason: "The stream key is read on the way, and whoever has it can send into the room.",
    source: docs.ingress,
    find: inEach("livekit", (part) => {
      const url = textAt(part, "ingress", "whip_base_url") ?? "";
      const host = hostOf(url);
      return /^http:/i.test(url) && host !== "" && !isLocal(host)
        ? at(
            part,
            ["ingress", "whip_base_url"],
            `ingress:\n  whip_base_url: ${url.replace(/^http:/i, "https:")}`,
            host,
          )
        : undefined;
    }),
  },
  {
    code: "ingress.pull.udp",
    fault: "insecure",
    severity: "warning",
    title: "Ingress may open any UDP port",
    reason:
      "Whoever may make an ingress can take the machine's ports, and anybody can send into that stream.",
    source: sourceFile("pkg/config/config.go"),
    find: inEach("livekit", (part) =>
      isOn(part, "ingress", "enable_udp_url_pull")
        ? at(part, ["ingress", "enable_udp_url_pull"], "ingress:\n  enable_udp_url_pull: false")
        : undefined,
    ),
  },
];
