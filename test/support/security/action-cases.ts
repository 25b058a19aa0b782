import { type ActionRule, actionRules } from "../../../app/routes/action-rules.server.ts";
import { prices } from "../billing/stripe-account.ts";
import { message } from "../contact/contact.ts";
import { siteRoutes } from "../site/site-routes.ts";
import type { Visitor } from "../site/visitor.ts";

/** One way to post to one action, and what its row says. */
export type ActionCase = {
  name: string;
  path: string;
  rule: ActionRule;
  fields: Record<string, string>;
  isPage: boolean;
};

const someone = "someone@example.com";
const code = { email: someone, phone: "+4915112345678", code: "123456" };

/** What a form must hold before it counts; all others count whatever they hold. */
const complete: Record<string, Record<string, string>> = {
  "/contact": message,
  "/auth/confirm": { token_hash: "a".repeat(56), type: "magiclink", next: "/dashboard" },
  "/signin provider": { provider: "google" },
  "/signin/sso": { email: someone },
  "/signin one_tap": { credential: "a.b.c" },
  "/signin sign_in": { email: someone, password: "wrong password" },
  "/signin sign_up": { email: someone, password: "four quiet servers hum" },
  "/signin resend_confirmation": { email: someone },
  "/signin forgotten_password": { email: someone },
  "/signin magic_link": { email: someone },
  "/signin phone_code": { phone: code.phone },
  "/signin update_password": { password: "four quiet servers hum" },
  "/signin verify_email_code": { intent: "verify_code", email: someone, code: code.code },
  "/signin verify_phone_code": { intent: "verify_code", phone: code.phone, code: code.code },
};

const pages = new Set(
  siteRoutes()
    .filter(({ file }) => file.endsWith(".tsx"))
    .map(({ path }) => path),
);

/** Every row of the table of actions; `deployment` is the id that stands in addresses. */
export function actionCases(deployment: string): ActionCase[] {
  return Object.entries(actionRules).flatMap(([pattern, rule]) => {
    const address = pattern
      .replace(":id", deployment)
      .replace(":tool", "gmail")
      .replace(":tab", "send");
    const path = pattern === "/dashboard" ? "/dashboard?index" : address;
    const isPage = pages.has(pattern);
    if ("who" in rule) {
      return [{ name: pattern, path, rule, fields: complete[pattern] ?? {}, isPage }];
    }
    const field = pattern === "/signout" ? "scope" : "intent";
    return Object.entries(rule.intents).map(([intent, one]) => ({
      name: `${pattern} ${intent}`,
      path,
      rule: one,
      fields: { [field]: intent, ...complete[`${pattern} ${intent}`] },
      isPage,
    }));
  });
}

/**
 * Posts to it as its page does by script, or as a program where it takes JSON: the answer is what the
 * action says, without a page around it.
 */
export function postTo(visitor: Visitor, { path, fields, isPage }: ActionCase, userId = "") {
  if (path !== "/api/create-checkout-session") {
    const [address = "", query] = path.split("?");
    return visitor.post(`${address}${isPage ? ".data" : ""}${query ? `?${query}` : ""}`, fields);
  }
  return visitor.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ priceId: prices.monthly, userId }),
  });
}
