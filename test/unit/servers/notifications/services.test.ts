import { expect, test } from "vitest";
import type {
  Message,
  ServiceFields,
  ServiceKind,
} from "../../../../app/features/servers/notifications/channel.ts";
import { services } from "../../../../app/features/servers/notifications/senders/services.server.ts";
import {
  answerService,
  type ServiceMode,
  type ServiceRequest,
} from "../../../../fakes/alerts/services.ts";

const origin = "http://127.0.0.1:1";
const settings = {
  SITE_URL: "https://site.example",
  SUPPORT_EMAIL: "support@site.example",
  RESEND_API_URL: "https://mail.example",
  ALERT_MAIL_API_KEY: undefined,
  PAGERDUTY_API_URL: "https://pager.example",
  DNS_API_URL: "https://dns.example",
  WEBHOOK_TEST_ORIGIN: origin,
};
const inProduction = { ...settings, WEBHOOK_TEST_ORIGIN: undefined };

const at = Date.UTC(2026, 10, 25, 3, 12);
const workspace = { name: "Northwind", address: "https://site.example/dashboard/w/northwind" };
const opened: Message = {
  ...{ id: "m1", at, event: "opened", workspace },
  incidents: [
    {
      ...{ id: "6f1c", server: { id: "a1", name: "media_1 <@everyone> & *co*" }, openedAt: at },
      severity: "page",
      causes: [{ code: "down", subject: "", severity: "page", since: at }],
    },
  ],
};
const closed: Message = {
  ...opened,
  event: "closed",
  incidents: opened.incidents.map((incident) => ({ ...incident, closedAt: at + 60_000 })),
};
const testMessage: Message = { ...opened, event: "test", incidents: [] };
/** Hundreds of servers, whose names are as long as they may be and of characters of two units. */
const long: Message = {
  ...opened,
  event: "rollup",
  incidents: Array.from({ length: 300 }, (_, index) => ({
    ...{ id: `i${index}`, server: { id: `s${index}`, name: "🎈".repeat(500) } },
    ...{ severity: "page" as const, openedAt: at },
    causes: [{ code: "down", subject: "", severity: "page" as const, since: at }],
  })),
};

type FormKind = Exclude<ServiceKind, "push">;

const botToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
const genieKey = "eb243592-faa2-4ba2-a551-1afdf565c889";

/** What a person types, at the fake and in production, and what is refused. */
const typed: Record<
  FormKind,
  { fake: ServiceFields; real: ServiceFields; wrong: ServiceFields[] }
> = {
  slack: {
    fake: { url: `${origin}/slack/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX` },
    real: { url: "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX" },
    wrong: [
      { url: "https://hooks.slack.com.example.com/services/T0/B0/X" },
      { url: "https://hooks.slack.com/services/T0/B0" },
    ],
  },
  teams: {
    fake: { url: `${origin}/teams/workflows/0a1b` },
    real: {
      url: "https://default0a.1b.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/0a1b/triggers/manual/paths/invoke?api-version=1&sig=x",
    },
    wrong: [
      { url: "https://northwind.webhook.office.com/webhookb2/x" },
      { url: "https://logic.azure.com.example.com/x" },
    ],
  },
  discord: {
    fake: {
      url: `${origin}/discord/api/webhooks/223704706495545344/3d89bb7572e0fb30d8128367b3b1b44fecd1726de135cbe28a41f8b2f777c372ba2939e72279b94526ff5d1bd4358d65cf11`,
    },
    real: {
      url: "https://discord.com/api/webhooks/223704706495545344/3d89bb7572e0fb30d8128367b3b1b44f",
    },
    wrong: [
      { url: "https://discord.com/channels/1/2" },
      { url: "http://discord.com/api/webhooks/1/a" },
    ],
  },
  telegram: {
    fake: { token: botToken, chat: "-1001234567890" },
    real: { token: botToken, chat: "@operations" },
    wrong: [
      { token: "none", chat: "1" },
      { token: botToken, chat: "Operations" },
      { token: `${botToken}/../x`, chat: "1" },
    ],
  },
  ntfy: {
    fake: { url: `${origin}/ntfy/northwind_alerts`, token: "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2" },
    real: { url: "https://ntfy.sh/northwind_alerts" },
    wrong: [
      { url: "https://ntfy.sh/" },
      { url: "https://ntfy.sh/a?b=c" },
      { url: "https://10.0.0.7/a" },
      { url: "https://ntfy.sh/a", token: "tk a" },
    ],
  },
  opsgenie: {
    fake: { key: genieKey },
    real: { key: genieKey.toUpperCase(), region: "eu" },
    wrong: [{ key: "eb243592" }, {}],
  },
};
const kinds = Object.keys(typed) as FormKind[];

function target(kind: FormKind) {
  const checked = services[kind].check(typed[kind].fake, settings);
  if ("refusal" in checked) throw new Error(checked.refusal);
  return checked;
}

/** Sends a message to the fake, and answers what became of it and what the fake took. */
async function sent(kind: FormKind, message: Message, mode: ServiceMode = "well") {
  const received: ServiceRequest[] = [];
  for (const { url, headers, body } of await services[kind].requests(
    target(kind).fields,
    message,
    settings,
  )) {
    const request = new Request(url, { method: "POST", headers: { ...headers }, body });
    const response = await answerService(request, mode, received);
    if (!response) throw new Error(`Nothing answers at ${url}`);
    const seconds = response.headers.get("retry-after");
    const outcome = services[kind].outcome({
      ...{ status: response.status, text: await response.text() },
      waitMs: seconds === null ? undefined : Number(seconds) * 1_000,
    });
    if (!outcome.ok) return { outcome, received };
  }
  return { outcome: { ok: true as const }, received };
}

test.each(kinds)("%s takes each message in its documented form", async (kind) => {
  for (const message of [opened, closed, testMessage, long]) {
    const { outcome, received } = await sent(kind, message);
    expect(outcome, message.event).toEqual({ ok: true });
    expect(received.length, message.event).toBeGreaterThan(0);
  }
});

/** What each service's reference shows, as it was on 28 November 2026; the fake must take it. */
const documented: Record<FormKind, { source: string; body: object }> = {
  slack: {
    source: "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
    body: { text: "Hello, world." },
  },
  teams: {
    source:
      "https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using",
    body: {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            ...{ type: "AdaptiveCard", version: "1.2", actions: [] },
            body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text: "Text" }] }],
          },
        },
      ],
    },
  },
  discord: {
    source: "https://discord.com/developers/docs/resources/webhook#execute-webhook",
    body: { content: "Hello @everyone", allowed_mentions: { parse: [] } },
  },
  telegram: {
    source: "https://core.telegram.org/bots/api#sendmessage",
    body: { chat_id: "@channelusername", text: "Hello" },
  },
  ntfy: {
    source: "https://docs.ntfy.sh/publish/#publish-as-json",
    body: {
      topic: "mytopic",
      message: "Disk space is low at 5.1 GB",
      title: "Low disk space alert",
      ...{ priority: 4, click: "https://homecamera.lan/xasds1h2xsSsa/" },
    },
  },
  opsgenie: {
    source: "https://docs.opsgenie.com/docs/alert-api#create-alert",
    body: {
      message: "An example alert message",
      alias: "Life is too short for no alias",
      description: "Every alert needs a description",
      ...{ source: "Sender", priority: "P1" },
    },
  },
};

test.each(kinds)(
  "the fake of %s takes what the reference shows, and nothing more",
  async (kind) => {
    const [{ url = "", headers } = {}] = await services[kind].requests(
      target(kind).fields,
      opened,
      settings,
    );
    const answers = async (body: object) => {
      const init = { method: "POST", headers: { ...headers }, body: JSON.stringify(body) };
      return (await answerService(new Request(url, init), "well", []))?.ok;
    };
    const { body, source } = documented[kind];
    expect(await answers(body), source).toBe(true);
    expect(await answers({ ...body, unknown: 1 })).toBe(false);
  },
);

const thirty = { retry: true, waitMs: 30_000 };
test.each([
  ["slack", "gone", { retry: false, isOver: true, reason: /no such webhook any more/ }],
  ["slack", "limited", { ...thirty, reason: /Slack takes no more for now/ }],
  ["teams", "gone", { retry: false, isOver: true, reason: /no such workflow any more/ }],
  ["teams", "limited", { ...thirty, reason: /Teams takes no more/ }],
  ["discord", "gone", { retry: false, isOver: true, reason: /no such webhook any more/ }],
  ["discord", "limited", { ...thirty, reason: /Discord takes no more/ }],
  ["telegram", "gone", { retry: false, isOver: true, reason: /not in the chat any more/ }],
  ["telegram", "limited", { ...thirty, reason: /Telegram takes no more/ }],
  ["ntfy", "gone", { retry: false, reason: /does not let this token/ }],
  ["ntfy", "limited", { retry: true, reason: /ntfy takes no more/ }],
  ["opsgenie", "gone", { retry: false, reason: /does not take the key/ }],
  ["opsgenie", "limited", { retry: true, reason: /Opsgenie takes no more/ }],
  ["slack", "down", { retry: true, reason: /Slack answered 502/ }],
] as const)("what %s answers when it is %s is a sentence", async (kind, mode, wanted) => {
  const { outcome } = await sent(kind, opened, mode);
  expect(outcome).toEqual({
    ...{ ok: false, ...wanted },
    reason: expect.stringMatching(wanted.reason),
  });
});

test.each(kinds)("an address or a key that is none of %s is refused with a sentence", (kind) => {
  expect(services[kind].check(typed[kind].real, inProduction)).toHaveProperty("fields");
  for (const wrong of typed[kind].wrong) {
    expect(services[kind].check(wrong, inProduction), JSON.stringify(wrong)).toHaveProperty(
      "refusal",
    );
  }
  expect(services[kind].check(typed[kind].fake, inProduction)).toEqual(
    "url" in typed[kind].fake ? { refusal: expect.any(String) } : expect.anything(),
  );
});

test("no name of a server formats a message, mentions anybody or makes a link", async () => {
  const bodies = Object.fromEntries(
    await Promise.all(
      (["slack", "discord", "telegram"] as const).map(async (kind) => {
        const [first] = (await sent(kind, opened)).received;
        return [kind, JSON.stringify(first?.body)];
      }),
    ),
  );
  expect(bodies.slack).toContain("media_1 &lt;@everyone&gt; &amp; *co* is down");
  expect(bodies.slack).toContain('"mrkdwn":false');
  expect(bodies.discord).toContain("media\\\\_1 <@everyone\\\\> & \\\\*co\\\\*");
  expect(bodies.discord).toContain('"parse":[]');
  expect(bodies.telegram).toContain("media_1 <@everyone> & *co* is down");
  expect(bodies.telegram).not.toContain("parse_mode");
});

test("Opsgenie has one alert for an incident, which the end closes, and a test leaves nothing open", async () => {
  const [create] = (await sent("opsgenie", opened)).received;
  expect(create).toMatchObject({
    ...{ service: "opsgenie", path: "/v2/alerts", authorization: `GenieKey ${genieKey}` },
    body: { alias: "6f1c", priority: "P1" },
  });
  const [close] = (await sent("opsgenie", closed)).received;
  expect(close?.path).toBe("/v2/alerts/6f1c/close?identifierType=alias");
  const paths = (await sent("opsgenie", testMessage)).received.map(({ path }) => path);
  expect(paths).toEqual(["/v2/alerts", "/v2/alerts/m1/close?identifierType=alias"]);
  const digest = { ...opened, event: "digest" as const };
  expect((await sent("opsgenie", digest)).received).toEqual([]);
});

test("ntfy rings loudly for what wakes somebody alone, and opens the server's page", async () => {
  const [{ body } = { body: {} }] = (await sent("ntfy", opened)).received;
  expect(body).toMatchObject({
    topic: "northwind_alerts",
    priority: 5,
    click: `${workspace.address}/servers/a1`,
  });
  expect((await sent("ntfy", closed)).received[0]?.body).toMatchObject({ priority: 3 });
});

test("ntfy gets the token of a topic that wants one", async () => {
  const token = "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2";
  const { url = "" } = target("ntfy").fields;
  const headers = async (fields: ServiceFields) =>
    (await services.ntfy.requests(fields, opened, settings))[0]?.headers;
  expect(await headers({ url, token })).toEqual({ authorization: `Bearer ${token}` });
  expect(await headers({ url })).toBeUndefined();
});

test("a key of Opsgenie's is used in its region alone", async () => {
  const addresses = await Promise.all(
    ["eu", "us"].map(async (region) => {
      const fields = { key: genieKey, region };
      const [request] = await services.opsgenie.requests(fields, opened, inProduction);
      return request?.url;
    }),
  );
  expect(addresses).toEqual([
    "https://api.eu.opsgenie.com/v2/alerts",
    "https://api.opsgenie.com/v2/alerts",
  ]);
});

test("the longest message is as long as each chat takes it, and ends with the links", async () => {
  for (const [kind, field, max] of [
    ["slack", "text", 4_000],
    ["discord", "content", 2_000],
    ["telegram", "text", 4_096],
  ] as const) {
    const [{ body } = { body: {} }] = (await sent(kind, long)).received;
    const text = String((body as Record<string, unknown>)[field]);
    expect(text.length, kind).toBeLessThanOrEqual(max);
    expect(text, kind).toMatch(/Open your servers: <?https:\/\/site\.example\/[^ ]+$/);
  }
});

test("a group of Telegram's that became a supergroup is over, with its new id", () => {
  const text = JSON.stringify({
    ...{ ok: false, error_code: 400, parameters: { migrate_to_chat_id: -1001234567890 } },
    description: "Bad Request: group chat was upgraded to a supergroup chat",
  });
  expect(services.telegram.outcome({ status: 400, text })).toEqual({
    ...{ ok: false, retry: false, isOver: true },
    reason: "The group became a supergroup. Add it again, as chat -1001234567890.",
  });
});

test("what lists call a channel has no secret but its last four characters, or the team's name for it", () => {
  for (const kind of kinds) {
    const { place, fields } = target(kind);
    for (const value of [fields.url, fields.token, fields.key]) {
      if (value) expect(place).not.toContain(value.slice(-6));
    }
    const named = services[kind].check({ ...typed[kind].fake, name: " #on-call " }, settings);
    expect(named).toMatchObject({ place: "#on-call" });
  }
});
