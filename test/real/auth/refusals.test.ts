import { expect, test } from "vitest";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { oneRealSite } from "./real-site.ts";

oneRealSite();

test("a provider's answer that nobody asked for leads home, and the page says what became of it", async () => {
  const visitor = new Visitor();
  const callback = new URL(
    "/auth/v1/callback?code=made-up&state=made-up",
    variable("SUPABASE_URL"),
  );
  const answer = await fetch(callback, { redirect: "manual" });
  const location = answer.headers.get("location") ?? "";
  expect(location).toContain("error_code=bad_oauth_state");
  const { response, url } = await visitor.arrive(await visitor.request(location), location);
  const page = await response.text();
  expect([response.status, url.pathname]).toEqual([200, "/signin"]);
  expect(/role="alert"[^>]*>(.*?)<\/div>/s.exec(page)?.[1]).toContain(
    "This sign-in has expired or was already used.",
  );
});

test("Google's account with an address that nobody has proved is refused in words that say so", async () => {
  const visitor = new Visitor();
  const start = await visitor.post("/signin", { provider: "google", next: "/dashboard" });
  const { response } = await visitor.chooseGoogleAccount(
    start,
    "/signin",
    "unverified@example.com",
  );
  const alert = /role="alert"[^>]*>(.*?)<\/div>/s.exec(await response.text())?.[1] ?? "";
  expect(alert).not.toContain("The provider did not let you in");
  expect(alert).toMatch(/confirm|verif/i);
});
