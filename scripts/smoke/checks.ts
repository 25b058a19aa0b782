import { plans } from "../../app/content/plans.ts";
import { expectHeader, expectStatus, expectWords, Finding, type Site } from "./answer.ts";

/** Something that people can rely on, and how to see it from outside. Throws a finding otherwise. */
export type Check = { promise: string; see(site: Site): Promise<void> };

/**
 * What a deployed site must do. The checks change nothing, and need no account and neither Supabase, Stripe nor
 * Google: a deploy must not be rolled back because another service is down.
 */
export const checks: readonly Check[] = [
  {
    promise: "the home page is there",
    async see(site) {
      const home = await site.ask("/");
      expectStatus(home, 200);
      expectHeader(home, "content-type", /^text\/html/);
      expectWords(home, "Deploy LiveKit Server with Confidence");
    },
  },
  {
    promise: "/pricing shows the prices",
    async see(site) {
      const pricing = await site.ask("/pricing");
      expectStatus(pricing, 200);
      for (const { price } of plans) expectWords(pricing, price);
    },
  },
  {
    promise: "the files that a page names are there, and browsers may keep them",
    async see(site) {
      const { body } = await site.ask("/");
      const files = ["js", "css"].map(
        (ending) => new RegExp(`/assets/[\\w.-]+\\.${ending}\\b`).exec(body)?.[0],
      );
      for (const file of files) {
        if (!file) throw new Finding("/ names no script or no style sheet");
        const answer = await site.ask(file);
        expectStatus(answer, 200);
        expectHeader(answer, "content-type", /^text\/(javascript|css)/);
        expectHeader(answer, "cache-control", /immutable/);
      }
    },
  },
  {
    promise: "pages carry the security headers",
    async see(site) {
      const home = await site.ask("/");
      expectHeader(home, "content-security-policy", /script-src 'self' 'sha256-/);
      expectHeader(home, "content-security-policy", /frame-ancestors 'none'/);
      expectHeader(home, "content-security-policy", /^(?!.*'unsafe-)/);
      expectHeader(home, "strict-transport-security", /max-age=\d{7,}/);
      expectHeader(home, "x-content-type-options", /^nosniff$/);
      expectHeader(home, "referrer-policy", /^strict-origin-when-cross-origin$/);
    },
  },
  {
    promise: "public pages come through the page cache",
    async see(site) {
      const page = await site.ask("/faq");
      // Two requests may reach two machines, so what counts is that the page is kept.
      expectHeader(page, "cache-status", /^livekit-deploy; (hit|fwd=miss; (stored|collapsed))/);
      if (page.headers.has("set-cookie")) throw new Finding("/faq sets a cookie");
    },
  },
  {
    promise: "an unknown address is answered with 404 and a way back",
    async see(site) {
      const nowhere = await site.ask("/no-such-page");
      expectStatus(nowhere, 404);
      expectWords(nowhere, "Unexpected Application Error!");
      expectWords(nowhere, 'href="/"');
    },
  },
  {
    promise: "the dashboard asks visitors to sign in",
    async see(site) {
      const dashboard = await site.ask("/dashboard");
      expectStatus(dashboard, 302);
      expectHeader(dashboard, "location", /^\/signin\?next=/);
    },
  },
  {
    promise: "a checkout does not start for a foreign page",
    async see(site) {
      const order = JSON.stringify({ priceId: "price_smoke", userId: "nobody" });
      const headers = { "content-type": "application/json", origin: "https://foreign.example" };
      const path = "/api/create-checkout-session";
      const answer = await site.ask(path, { method: "POST", body: order, headers });
      expectStatus(answer, 403);
      expectWords(answer, "did not come from our site");
    },
  },
];
