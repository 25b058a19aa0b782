import { afterAll, beforeAll, expect, test } from "vitest";
import { codeRequestCookieOf } from "../../support/auth/code-request.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { faults, type ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { type SiteWithFaults, startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { Visitor } from "../../support/site/visitor.ts";

const password = "four quiet servers hum";
const unavailable =
  "Sign-in is not available right now. Nothing was changed, and what you typed is still here, except a password. Please try again in a moment.";

type Victim = { email: string; phone: string };

// The patience of the Worker is counted in seconds, so all failures happen at the same time: who asks
// says how the auth server fails.
const failures: [string, ProxyHandler, Victim][] = [
  ["is down", faults["cut off"], { email: "cut.off@example.com", phone: "+15550100001" }],
  ["answers 500", faults.error, { email: "error@example.com", phone: "+15550100002" }],
  ["answers garbage", faults.garbage, { email: "garbage@example.com", phone: "+15550100003" }],
  ["never answers", faults.silence, { email: "silence@example.com", phone: "+15550100004" }],
];

const forms = ({ email, phone }: Victim): Record<string, Record<string, string>> => ({
  "a password": { intent: "sign_in", email, password },
  "signing up": { intent: "sign_up", email, password },
  "a confirmation sent again": { intent: "resend_confirmation", email },
  "a reset": { intent: "forgotten_password", email },
  "a sign-in link": { intent: "magic_link", email },
  "a code": { intent: "verify_code", email, code: "123456" },
  "a code by SMS": { intent: "phone_code", phone },
  "the code of an SMS": { intent: "verify_code", phone, code: "123456" },
});

let site: SiteWithFaults;

beforeAll(async () => {
  site = await startSiteWithFaults({ SIGN_IN_SMS: "on" });
  site.supabaseProxy.behave((request, forward) => {
    const failure = failures.find(([, , { email, phone }]) =>
      [email, phone].some((name) => request.body.includes(name)),
    );
    return failure ? failure[1](request, forward) : forward();
  });
});

afterAll(() => site?.[Symbol.asyncDispose]());

test.concurrent.for(failures)(
  "when the auth server %s, every form says to try again and keeps what was typed, but no password",
  async ([, , victim]) => {
    const answers = await Promise.all(
      Object.entries(forms(victim)).map(async ([name, fields]) => {
        const visitor = new Visitor(site.url);
        // Codes are typed where they were asked for, while the auth server was still there.
        const to = fields.email ?? fields.phone ?? "";
        const kind = fields.email ? "email" : "phone";
        if (fields.code) visitor.setCookie(...(await codeRequestCookieOf({ to, kind }, 600)));
        return { name, fields, answer: await postSignIn(visitor, fields) };
      }),
    );
    for (const { name, fields, answer } of answers) {
      expect([answer.status, answer.view.alert], name).toEqual([503, unavailable]);
      expect(answer.view.email, name).toBe(fields.email ?? "");
      expect(answer.view.phone, name).toBe(fields.phone ?? "");
      expect(answer.page, name).not.toContain(password);
      expect(answer.page, name).not.toMatch(/internal secret detail|Bad Gateway/);
    }
  },
);
