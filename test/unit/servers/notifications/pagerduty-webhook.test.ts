import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { answersIn } from "~/features/servers/notifications/answers.server.ts";
import { channelsIn, saveChannel } from "~/features/servers/notifications/channels.server.ts";
import { takePagerWebhook } from "~/features/servers/notifications/pagerduty-webhook.server.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";
import { mailChannel, monitoredFleet } from "../../../support/servers/monitored-fleet.ts";

const secret = "n0t-a-real-secret-of-pagerduty";

/** The payload is that of PagerDuty's page on webhooks, the parts that we read. */
const payload = (type: string, incident_key: string | null, at = begin) =>
  JSON.stringify({
    event: {
      ...{ id: "5ac64822", event_type: type, resource_type: "incident" },
      occurred_at: new Date(at).toISOString(),
      agent: { id: "PLH1HKV", summary: "Tenex Engineer", type: "user_reference" },
      data: { id: "PGR0VU2", type: "incident", status: "acknowledged", incident_key },
    },
  });

const signed = (body: string, ...secrets: string[]) =>
  secrets.map((each) => `v1=${createHmac("sha256", each).update(body).digest("hex")}`).join(",");

function answeringFleet(webhookSecret: string | undefined = secret) {
  const fleet = monitoredFleet(1);
  const { sql, clock, monitor, ids } = fleet;
  const pager = { ...mailChannel, id: "pager", kind: "pagerduty", routingKey: "key" } as const;
  saveChannel(sql, { ...pager, ...(webhookSecret ? { webhookSecret } : {}) });
  const id = ids[0]?.incident ?? "";
  const take = (body: string, signatures = signed(body, secret), channel = "pager") =>
    takePagerWebhook(sql, monitor, { channel, body, signatures }, clock.now);
  return { ...fleet, id, take, acknowledged: () => monitor.incident(id)?.acknowledged };
}

test("what PagerDuty signs as acknowledged is, in the name of the person there, until it is not", async () => {
  const { id, take, acknowledged, sql } = answeringFleet();
  expect(await take(payload("incident.acknowledged", id))).toBe("taken");
  expect(acknowledged()).toEqual({ by: "pager", who: "Tenex Engineer at PagerDuty", at: begin });
  expect(channelsIn(sql).find((each) => each.id === "pager")).toMatchObject({ heardAt: begin });
  expect(await take(payload("incident.acknowledged", id))).toBe("taken");
  expect(await take(payload("incident.unacknowledged", id))).toBe("taken");
  expect(acknowledged()).toBeUndefined();
  // For the audit log: what changed something, with who.
  const noted = answersIn(sql).map(({ action, target, who }) => [action, target, who]);
  expect(noted.toSorted()).toEqual([
    ["incident.acknowledged", "sfu-1", "Tenex Engineer at PagerDuty"],
    ["incident.unacknowledged", "sfu-1", "Tenex Engineer at PagerDuty"],
  ]);
});

test("what a member acknowledged stays, though it ends at PagerDuty", async () => {
  const { id, take, acknowledged, monitor } = answeringFleet();
  monitor.acknowledge(id, { by: "ada", at: begin });
  expect(await take(payload("incident.unacknowledged", id))).toBe("taken");
  expect(acknowledged()).toMatchObject({ by: "ada" });
});

test("one of several signatures is enough, and none of another secret, body or version", async () => {
  const { id, take, acknowledged } = answeringFleet();
  const body = payload("incident.acknowledged", id);
  for (const wrong of [
    ...["", "v1=", signed(body, "another secret"), signed(`${body} `, secret)],
    ...[signed(body, secret).replace("v1=", "v2="), signed(body, secret).toUpperCase()],
  ]) {
    expect(await take(body, wrong)).toBe("unsigned");
  }
  expect(acknowledged()).toBeUndefined();
  expect(await take(body, signed(body, "the next secret", secret))).toBe("taken");
  expect(acknowledged()).toBeDefined();
});

test.for([
  ["about another incident", payload("incident.acknowledged", "other")],
  ["about none", payload("incident.acknowledged", null)],
  ["that is resolved there", payload("incident.resolved", "id")],
  ["of an hour ago", payload("incident.acknowledged", "id", begin - 61 * minute)],
  ["without a time", payload("incident.acknowledged", "id").replace(/"20[^"]+Z"/, '"soon"')],
  ["that is a ping", '{"event":{"event_type":"pagey.ping","occurred_at":"","data":{}}}'],
  ["that is no JSON", "{"],
] as const)("a webhook %s is answered well, and changes nothing", async ([, text]) => {
  const { id, take, acknowledged } = answeringFleet();
  expect(await take(text.replace('"id"', `"${id}"`))).toBe("taken");
  expect(acknowledged()).toBeUndefined();
});

test("where nobody set a secret, or the channel is another one, nobody is answered", async () => {
  const { id, take } = answeringFleet("");
  const body = payload("incident.acknowledged", id);
  expect(await take(body)).toBe("unknown");
  expect(await take(body, signed(body, secret), mailChannel.id)).toBe("unknown");
  expect(await take(body, signed(body, secret), "removed")).toBe("unknown");
});
