import { expect, test } from "vitest";
import type { Message } from "~/features/servers/notifications/channel.ts";
import { stateWords } from "~/features/servers/pages/state-words.ts";
import type { ServerState } from "~/features/servers/state/state.ts";
import { webhookBody } from "../../../app/features/servers/notifications/senders/webhook.server.ts";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { tableOf } from "../../support/documentation/tables.ts";

const opened: Message = {
  id: "m1",
  at: Date.parse("2026-11-25T10:15:00Z"),
  event: "opened",
  workspace: { name: "Acme", address: "https://www.example.com/dashboard/w/acme" },
  incidents: [
    {
      id: "0b9b4c5e-6c0f-4d53-9c39-1f2b7a8f0d11",
      server: { id: "5d1c3a0e-7a55-4a8e-9a5b-1be0c2b7d2aa", name: "livekit-1" },
      severity: "page",
      openedAt: Date.parse("2026-11-25T10:13:00Z"),
      place: {
        ...{ deployment: "Production", domain: "live.example.com", address: "203.0.113.7" },
        provider: { name: "Hetzner", console: "https://console.hetzner.com/projects" },
        ...{ login: "ssh root@203.0.113.7", people: 12 },
      },
      causes: [
        {
          code: "down",
          subject: "",
          severity: "page",
          since: Date.parse("2026-11-25T10:13:00Z"),
        },
      ],
    },
  ],
};

const events: Record<Message["event"], true> = {
  opened: true,
  worse: true,
  reopened: true,
  repeated: true,
  acknowledged: true,
  closed: true,
  rollup: true,
  digest: true,
  test: true,
  disconnected: true,
  paused: true,
  "connection-test": true,
  "channel-failed": true,
};

test("the documented body of our webhook is the one that is sent", () => {
  const [block] = codeBlocks("docs/alerts").filter(({ language }) => language === "json");
  expect(JSON.parse(block?.text ?? "")).toEqual(JSON.parse(webhookBody(opened)));
});

test("every type of our webhook is documented, and no other", () => {
  const sent = Object.keys(events).map((event) => {
    const body = webhookBody({ ...opened, event: event as Message["event"] });
    return JSON.parse(body).type;
  });
  const documented = tableOf("docs/alerts", "The types of our webhook").map(([type]) => type);
  expect(documented.toSorted()).toEqual(sent.toSorted());
});

const since = 0;
const states: readonly ServerState[] = [
  { code: "waiting" },
  { code: "booting", stage: "images" },
  { code: "healthy" },
  { code: "degraded", finding: "disk.full" },
  { code: "updating", since },
  { code: "silent", since },
  { code: "down", since },
  { code: "duplicate" },
  { code: "paused", why: "plan-limit", allowed: 1, isEnding: false },
  { code: "retired", since },
];

test("every state of a server is documented as the console says it", () => {
  const documented = tableOf("docs/servers", "What the console says of a server").map(
    ([state]) => state,
  );
  const titles = states.map((state) => stateWords(state).words.replace(/(:| since\b).*/, ""));
  expect(documented).toEqual(titles);
});
