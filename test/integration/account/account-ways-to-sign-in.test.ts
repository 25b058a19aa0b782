import { beforeEach, describe, expect, test } from "vitest";
import { accountPageOf, alertIn, change, pressLink } from "../../support/auth/account.ts";
import { database } from "../../support/database/database.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, signWithKeyPair } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const other = "customer.two@example.com";
const firstMail = "ada@example.com";
const here = "/dashboard/account";

describe("ways to sign in", () => {
  beforeEach(resetFakes);

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

  testInProof("the only one cannot be disconnected by hand either", async () => {
    const { visitor, google } = await withTwo();
    await change(visitor, { intent: "unlink", identity: google });
    const { status, alert } = await change(visitor, { intent: "unlink", identity: google });
    expect([status, alert]).toEqual([
      400,
      "This way to sign in is not connected. Nothing was changed.",
    ]);
  });

  testInProof(
    "disconnecting it ends the account's other sessions, and the one that disconnects it stays",
    async () => {
      // As at a hosted project: tokens are checked here, and that a session lives is remembered for some seconds.
      await signWithKeyPair();
      const { visitor, google } = await withTwo();
      const [elsewhere, stranger] = [await signedIn(), await signedIn(other)];
      expect((await elsewhere.request("/dashboard")).status).toBe(200);
      await change(visitor, { intent: "unlink", identity: google });
      expect((await elsewhere.request("/dashboard")).status).toBe(302);
      for (const person of [visitor, stranger])
        expect((await person.request(here)).status).toBe(200);
    },
  );

  testInProof("a sign-in by it that was begun before opens no session afterwards", async () => {
    const { visitor, google } = await withTwo();
    const begun = new Visitor();
    const start = await begun.post("/signin", { provider: "google", next: "/dashboard" });
    // The auth server has given the code; the browser has not brought it back yet.
    const { url } = await begun.chooseGoogleAccount(start, "/signin", email, "/auth/callback");
    expect(url.searchParams.get("code")).toBeTruthy();
    await change(visitor, { intent: "unlink", identity: google });
    const back = url.pathname + url.search;
    const end = await begun.arrive(await begun.request(back), back);
    expect([end.url.pathname, end.url.searchParams.get("problem")]).toEqual(["/signin", "expired"]);
    expect((await begun.request("/dashboard")).status).toBe(302);
    expect((await visitor.request(here)).status).toBe(200);
  });

  testInProof("what the account's metadata names goes with the identity", async () => {
    const { visitor, google } = await withTwo();
    expect(await providersOf(email)).toMatchObject({ providers: ["email", "google"] });
    await change(visitor, { intent: "unlink", identity: google });
    expect(await providersOf(email)).toMatchObject({ provider: "email", providers: ["email"] });
  });

  test("nobody disconnects another person's way to sign in", async () => {
    const { google } = await withTwo();
    const stranger = await signedIn(other);
    const { status } = await change(stranger, { intent: "unlink", identity: google });
    expect(status).toBe(400);
    expect(await providersOf(email)).toMatchObject({ providers: ["email", "google"] });
  });
});

describe("connecting a provider", () => {
  beforeEach(resetFakes);

  /** Somebody whose address is no Google account's. */
  async function ada(): Promise<Visitor> {
    await new Visitor().post("/signin", { intent: "magic_link", email: firstMail });
    const visitor = new Visitor();
    await pressLink(firstMail, "Your sign-in link", visitor);
    return visitor;
  }

  const begin = (visitor: Visitor) =>
    visitor.post("/dashboard/account", { intent: "link", provider: "google" });

  /** Goes through the provider; answers where the auth server would send the browser back to. */
  async function consent(visitor: Visitor, start: Response, account = email): Promise<string> {
    const { url } = await visitor.chooseGoogleAccount(start, here, account, "/auth/connected");
    return url.pathname + url.search;
  }

  async function comeBack(visitor: Visitor, path: string) {
    const { url, response } = await visitor.arrive(await visitor.request(path), path);
    const page = await response.text();
    return { path: url.pathname, alert: alertIn(page), connected: />Connected\.</.test(page) };
  }

  const users = async () => {
    const { data } = await database.auth.admin.listUsers();
    return data.users.map((user) => user.email).toSorted();
  };

  test("a Google account of another address signs in to the account that connected it", async () => {
    const visitor = await ada();
    const before = visitor.sessionSecrets();
    const back = await comeBack(visitor, await consent(visitor, await begin(visitor)));
    expect(back).toEqual({ path: here, alert: "", connected: true });
    expect(visitor.sessionSecrets()).toEqual(before);
    expect(visitor.cookies.has("connecting-provider")).toBe(false);
    expect(await users()).toEqual([firstMail]);
    expect(await providersOf(firstMail)).toMatchObject({
      provider: "email",
      providers: ["email", "google"],
    });

    const withGoogle = await signedIn(email);
    const page = await accountPageOf(withGoogle);
    expect(page).toContain(firstMail);
    const identity = /name="identity" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const { location } = await change(withGoogle, { intent: "unlink", identity });
    expect(location).toBe("/dashboard/account?done=unlinked#identities");
    // From now on it is an account of its own.
    expect(await accountPageOf(await signedIn(email))).not.toContain(firstMail);
  });

  testInProof("connecting that nobody finished is finished by the next attempt", async () => {
    const visitor = await ada();
    await consent(visitor, await begin(visitor));
    expect(await users()).toEqual([firstMail, email]);
    const back = await comeBack(visitor, await consent(visitor, await begin(visitor)));
    expect(back).toEqual({ path: here, alert: "", connected: true });
    expect(await users()).toEqual([firstMail]);
  });

  testInProof("one of the same address is connected as it is", async () => {
    await new Visitor().post("/signin", { intent: "magic_link", email });
    const visitor = new Visitor();
    await pressLink(email, "Your sign-in link", visitor);
    const back = await comeBack(visitor, await consent(visitor, await begin(visitor)));
    expect(back).toEqual({ path: here, alert: "", connected: true });
    expect(await users()).toEqual([email]);
  });

  testInProof(
    "one that has an account stays where it is, and nobody is signed in to that",
    async () => {
      const owner = await signedIn(email);
      const visitor = await ada();
      const back = await comeBack(visitor, await consent(visitor, await begin(visitor)));
      expect(back).toMatchObject({
        alert: expect.stringContaining(
          "That sign-in belongs to another account on this site. Nothing was connected. To use it here, sign in with it, delete that account",
        ),
        connected: false,
      });
      expect(await users()).toEqual([firstMail, email]);
      expect(await accountPageOf(visitor)).toContain(firstMail);
      expect((await owner.request(here)).status).toBe(200);
    },
  );

  test("what was begun in another browser connects nothing", async () => {
    const attacker = await ada();
    const start = await begin(attacker);
    const victim = await signedIn(other);
    // The attacker's link, opened by the victim, who consents at Google.
    const path = await consent(victim, start);
    expect(await comeBack(victim, path)).toMatchObject({
      alert: expect.stringContaining("Connecting was started in another browser"),
      connected: false,
    });
    expect(await providersOf(firstMail)).toMatchObject({ providers: ["email"] });
    expect(await providersOf(other)).toMatchObject({ providers: ["google"] });
    // Nor does the attacker's browser come by the identity without the victim's code.
    expect((await comeBack(attacker, "/auth/connected?code=guessed")).connected).toBe(false);
    expect(await providersOf(firstMail)).toMatchObject({ providers: ["email"] });
  });

  testInProof("nothing is connected for who signed out, or is somebody else by now", async () => {
    const visitor = await ada();
    const path = await consent(visitor, await begin(visitor));
    const cookie = visitor.cookies.get("connecting-provider") ?? "";
    const next = await signedIn(other);
    next.setCookie("connecting-provider", cookie);
    expect(await comeBack(next, path)).toMatchObject({
      alert: expect.stringContaining("while somebody else was signed in here"),
    });
    await visitor.post("/signout", {});
    visitor.setCookie("connecting-provider", cookie);
    expect((await comeBack(visitor, path)).path).toBe("/signin");
    for (const address of [firstMail, other]) {
      expect((await providersOf(address)).providers).toHaveLength(1);
    }
  });

  testInProof("a page reads why nothing was connected, and only in words of ours", async () => {
    for (const [query, sentence] of [
      ["error=access_denied", "You stopped at the provider. Nothing was connected."],
      ["error=server_error", "The provider was not connected."],
      ["code=used", "The provider was not connected."],
      ["", "The provider was not connected."],
    ] as const) {
      const visitor = await ada();
      await begin(visitor);
      const { alert, connected } = await comeBack(visitor, `/auth/connected?${query}`);
      expect([query, alert, connected]).toEqual([query, expect.stringContaining(sentence), false]);
    }
  });
});

/** What the metadata of somebody's account says of their ways to sign in. */
async function providersOf(address: string) {
  const { data } = await database.auth.admin.listUsers();
  return data.users.find((user) => user.email === address)?.app_metadata ?? {};
}
