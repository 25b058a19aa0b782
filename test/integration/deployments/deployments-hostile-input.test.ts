import { afterAll, beforeAll, expect, test } from "vitest";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { database } from "../../support/database/database.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { amount, sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import type { Visitor } from "../../support/site/visitor.ts";

/** Refused in every field below, apart from `inert`. */
const hostile = [
  "a.b\nx: y",
  'a.com"; rm -rf /',
  "$(id).com",
  "`id`.com",
  "*.example.com",
  "a_b.example.com",
  "foo.",
  `${"a".repeat(64)}.mycompany.com`,
  `${"abcdefg.".repeat(32)}com`,
  "a\u0000.com",
  "a\u202e.com",
  "a\u200b.com",
  'x#{ env "PATH" }y@b.co',
  "a@b.co\nbcc: c",
  "a@b.co # c",
  "*x",
  "&x",
  "!!python/object",
  "{a: b}",
  "~",
  "0x1F ",
  "a b",
  ["$", "{EVIL}"].join(""),
  "$b",
  "EOF\nid",
  "'",
  "-x",
  "## template: jinja",
  "#include",
  "v1;id",
  "latest@sha256:",
  "weekly\nExecStart=/bin/id",
  "%n",
  "<script>alert(1)</script>",
];

/** What means nothing to any file that it stands in, where such names are common. */
const inert: Record<string, string[]> = {
  "redis.username": ["a_b.example.com", "foo.", "0x1F "],
  "recording.s3.bucket": ["a_b.example.com"],
  "backups.target.s3.bucket": ["a_b.example.com"],
  "backups.target.s3.prefix": ["a_b.example.com", "foo.", "0x1F "],
};

const fields: Record<string, Record<string, string>> = {
  deployment: { region: "own", "region.own": "", disk: "" },
  domain: { domain: "", email: "", extraDomains: "" },
  network: {
    "turn.mode": "manual",
    "turn.tls": "on",
    "turn.domain": "",
    "firewall.preset": "custom",
    "firewall.rules": "",
    sshSource: "",
    "rooms.maxParticipants": "",
    "rooms.emptyTimeout": "",
    "rooms.departureTimeout": "",
    "rooms.codecs": "",
    "limits.tracks": "",
    "limits.bytesPerSecond": "",
    "redis.kind": "external",
    "redis.address": "",
    "redis.username": "",
  },
  protection: { monitoring: "24/7", alertUrl: "" },
  features: {
    ingress: "both",
    whipDomain: "",
    "recording.kind": "s3",
    "recording.s3.bucket": "",
    "recording.s3.region": "",
    "recording.s3.endpoint": "",
    "sip.kind": "on",
    "sip.sources": "",
    "agent.kind": "image",
    "agent.image": "",
    webhooks: "",
  },
  management: {
    "backups.frequency": "daily",
    "backups.ageRecipient": "",
    "backups.target.kind": "s3",
    "backups.target.s3.bucket": "",
    "backups.target.s3.region": "",
    "backups.target.s3.endpoint": "",
    "backups.target.s3.prefix": "",
    "maintenance.hour": "",
    "drain.minutes": "",
    "versions.livekit": "",
    "versions.egress": "",
    "versions.ingress": "",
    "versions.caddy": "",
    "versions.redis": "",
  },
};

const strings = amount({ inTest: hostile.filter((_, at) => at % 6 === 0), inProof: hostile });

let site: Awaited<ReturnType<typeof startSiteWithoutRateLimits>>;
let visitor: Visitor;
let id: string;
const shown: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  await resetFakes();
  // Every save counts, also one that is refused at a field.
  site = await startSiteWithoutRateLimits();
  visitor = (await customer("pro")).twin(site.url);
  id = await newDeployment(visitor);
  for (const step of Object.keys(fields)) {
    const page = await visitor.request(`/dashboard/deployments/${id}/edit?step=${step}`);
    shown[step] = pageFields(await page.text()).values;
  }
});

afterAll(() => site[Symbol.asyncDispose]());

test.each(sample(Object.keys(fields), 2))(
  "hostile strings in the fields of %s stop there",
  async (step) => {
    const stepFields = fields[step] ?? {};
    const open = Object.keys(stepFields).filter((field) => stepFields[field] === "");
    for (const text of strings) {
      const typed = Object.fromEntries(open.map((field) => [field, text]));
      const response = await visitor.post(`/dashboard/deployments/${id}/edit?step=${step}`, {
        ...shown[step],
        ...stepFields,
        ...typed,
      });
      const page = await response.text();
      expect.soft(response.status, JSON.stringify(text)).toBe(400);
      const form = pageFields(page);
      for (const field of open) {
        if (!inert[field]?.includes(text)) {
          expect.soft(form.errors[field], `${field}: ${JSON.stringify(text)}`).toBeTruthy();
        }
        // HTML holds no NUL and one kind of line end.
        const value = (form.values[field] ?? "").replaceAll("\r", "");
        expect.soft(value.replace("\ufffd", "\u0000")).toBe(text);
      }
    }
    const { data } = await database.from("deployments").select("version").single();
    expect(data?.version).toBe(1);
  },
);

testInProof("choices that no card offers are refused, whatever they are", async () => {
  for (const step of sample(Object.keys(fields), 2)) {
    const path = `/dashboard/deployments/${id}/edit?step=${step}`;
    const { values } = pageFields(await (await visitor.request(path)).text());
    for (const field of sample(Object.keys(values), 8)) {
      if (/^(step|version|name|domain|email|sshSource|extraDomains|versions\..*)$/.test(field))
        continue;
      const response = await visitor.post(path, { ...values, [field]: "__proto__" });
      expect.soft([field, response.status < 500]).toEqual([field, true]);
    }
    expect.soft((await visitor.post(path, {})).status, step).toBeLessThan(500);
    expect.soft((await visitor.post(path, { ...values, version: "NaN" })).status).toBeLessThan(500);
    expect
      .soft((await visitor.post(path, { ...values, version: "1e99" })).status)
      .toBeLessThan(500);
  }
});

testInProof("a name is any text, and is shown as text", async () => {
  const path = `/dashboard/deployments/${id}/edit?step=deployment`;
  const { values } = pageFields(await (await visitor.request(path)).text());
  for (const name of ["", " ", "a\u0000b", "a\u202eb", "x".repeat(81), "two\nlines"]) {
    expect.soft((await visitor.post(path, { ...values, name })).status, name).toBe(400);
  }
  const name = `<b>"O'Brien" & ${"$"}{x} 東京</b>`;
  expect((await visitor.post(path, { ...values, name })).status).toBe(303);
  const page = await (await visitor.request(path)).text();
  expect(pageFields(page).values.name).toBe(name);
  expect(page).not.toContain("<b>");
});
