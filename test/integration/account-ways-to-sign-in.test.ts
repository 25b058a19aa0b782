import { beforeEach, describe, expect, test } from "vitest";
import { accountPageOf, alertIn, change, pressLink } from "../fixtures/account.ts";
import { resetStandIns, standIns } from "../fixtures/stand-ins.ts";
import { startTroubledSite } from "../fixtures/troubled-site.ts";
import { variable } from "../fixtures/variables.ts";
import { signedIn, Visitor } from "../fixtures/visitor.ts";

const email = "customer.one@example.com";

describe("ways to sign in", () => {
  beforeEach(resetStandIns);

  async function withTwo(): Promise<{ visitor: Visitor; google: string }> {
    await new Visitor().post("/signin", { intent: "magic_link", email });
    await pressLink(email, "Your sign-in link");
    const visitor = await signedIn();
    const google = /name="identity" value="([^"]+)"/.exec(await accountPageOf(visitor))?.[1] ?? "";
    return { visitor, google };
  }

  test("one of two is disconnected, and the last one stays", async () => {
    const { visitor, google } = await withTwo();
    const { location } = await change(visitor, { intent: "unlink", identity: google });
    expect(location).toBe("/dashboard/account?done=unlinked#identities");
    const page = await accountPageOf(visitor);
    expect(page).toContain("This is your only way in, so it stays.");
    expect(page).not.toContain('name="identity"');
  });

  test("the only one cannot be disconnected by hand either", async () => {
    const { visitor, google } = await withTwo();
    await change(visitor, { intent: "unlink", identity: google });
    const { status, alert } = await change(visitor, { intent: "unlink", identity: google });
    expect([status, alert]).toEqual([
      400,
      "This way to sign in is not connected. Nothing was changed.",
    ]);
  });

  test("connecting by hand is hidden with a note where the sign-in server refuses it", async () => {
    await new Visitor().post("/signin", { intent: "magic_link", email });
    const visitor = new Visitor();
    await pressLink(email, "Your sign-in link", visitor);
    expect(await accountPageOf(visitor)).toContain("Connect Google");
    const { status, page } = await change(visitor, { intent: "link", provider: "google" });
    expect(status).toBe(200);
    expect(page).toContain("Connecting another provider by hand is switched off on this site.");
    expect(page).not.toContain("Connect Google");
  });

  test("a provider counts as connected once it is, and else the page says why it is not", async () => {
    await using site = await startTroubledSite();
    const visitor = new Visitor(site.url);
    await visitor.signInWithGoogle(email);
    /** The way to a provider, and back from it with this query. */
    const connect = async (query: string) => {
      site.supabaseWay.behave(async ({ path }, forward) => {
        const json = { "content-type": "application/json" };
        if (path.includes("/identities/authorize")) {
          return { status: 200, headers: json, body: '{"url":"https://github.com/login"}' };
        }
        if (!path.includes("grant_type=pkce")) return forward();
        return query === "code=good"
          ? { status: 200, headers: json, body: await renewed(visitor) }
          : { status: 404, headers: json, body: '{"error_code":"flow_state_not_found"}' };
      });
      const start = await change(visitor, { intent: "link", provider: "github" });
      expect(start.location).toBe("https://github.com/login");
      const path = `/auth/callback?${query}`;
      const { url, response } = await visitor.arrive(await visitor.request(path), path);
      site.supabaseWay.behave();
      expect([response.status, url.pathname, url.hash]).toEqual([
        200,
        "/dashboard/account",
        "#identities",
      ]);
      const page = await response.text();
      return { alert: alertIn(page), connected: />Connected\.</.test(page) };
    };
    const nothing = "Nothing was connected.";
    for (const [query, sentence] of [
      ["error=access_denied", `You stopped at the provider. ${nothing}`],
      [
        "error=server_error&error_code=identity_already_exists",
        "That sign-in belongs to an account on this site already, this one or another.",
      ],
      ["error=server_error", "The provider was not connected."],
      ["code=used", "The provider was not connected."],
      ["", "The provider was not connected."],
    ] as const) {
      const { alert, connected } = await connect(query);
      expect(alert, query).toContain(sentence);
      expect(connected, query).toBe(false);
    }
    expect(await connect("code=good")).toEqual({ alert: "", connected: true });
  });
});

/** A session as the exchange of a provider's code answers it, for somebody who is signed in. */
async function renewed(visitor: Visitor): Promise<string> {
  const token = visitor.sessionSecrets().find(({ name }) => name === "refresh_token")?.value;
  const response = await fetch(
    `${standIns().supabase.url}/auth/v1/token?grant_type=refresh_token`,
    {
      method: "POST",
      headers: { apikey: variable("SUPABASE_PUBLISHABLE_KEY"), "content-type": "application/json" },
      body: JSON.stringify({ refresh_token: token }),
    },
  );
  return response.text();
}
