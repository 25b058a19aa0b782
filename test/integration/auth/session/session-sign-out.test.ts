import { beforeEach, expect, test } from "vitest";
import { hiddenFieldsOf } from "../../../support/auth/account.ts";
import { linkIn, mailTo } from "../../../support/auth/inbox.ts";
import { testInProof } from "../../../support/run/variants.ts";
import { resetFakes, signWithKeyPair } from "../../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../../support/site/visitor.ts";

beforeEach(resetFakes);

/** Whether the dashboard opens, now and after a refresh. */
async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.request("/dashboard")).status === 200;
}

function sessionCookiesOf(visitor: Visitor): string[] {
  return [...visitor.cookies.keys()].filter((name) => /-auth-token(\.\d)?$|^signed-in$/.test(name));
}

test("signing out of this browser leaves the person's other device in", async () => {
  const [here, there] = [await signedIn(), await signedIn()];
  const response = await here.post("/signout", { scope: "local" });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  expect(await isIn(here)).toBe(false);
  expect(await isIn(there)).toBe(true);
});

testInProof.for(["a key pair", "a shared secret"])(
  "with %s, a user who signs out an hour later ends the session at the auth server, too",
  async (signing) => {
    if (signing === "a key pair") await signWithKeyPair();
    const here = await signedIn();
    // What somebody copied who renewed nothing yet.
    const copy = here.twin();
    here.expireSession();
    const response = await here.post("/signout", { scope: "local" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect(sessionCookiesOf(here)).toEqual([]);
    expect(await isIn(copy)).toBe(false);
  },
);

testInProof(
  "signing out the other devices keeps this one in, and leads back with a word on it",
  async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const response = await here.post("/signout", { scope: "others", next: "/dashboard?x=1#y" });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/dashboard?x=1&notice=others-signed-out#y");
    expect(await isIn(here)).toBe(true);
    expect(await isIn(there)).toBe(false);
    await there.request("/signin?next=%2Fdashboard");
    expect(sessionCookiesOf(there)).toEqual([]);
  },
);

test("signing out everywhere ends every device's session", async () => {
  const [here, there] = [await signedIn(), await signedIn()];
  const response = await here.post("/signout", { scope: "global" });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  expect(sessionCookiesOf(here)).toEqual([]);
  expect(await isIn(here)).toBe(false);
  expect(await isIn(there)).toBe(false);
});

test("a sign-out or deletion clears what pages kept in the browser, and no cookies of other hosts", async () => {
  const clearedBy = async (fields: Record<string, string>) =>
    (await (await signedIn()).post("/signout", fields)).headers.get("clear-site-data");
  expect(await clearedBy({ scope: "local" })).toBe('"cache", "storage"');
  expect(await clearedBy({ scope: "global" })).toBe('"cache", "storage"');
  expect(await clearedBy({ scope: "others" })).toBeNull();
  const visitor = await signedIn();
  const email = "customer.one@example.com";
  const gone = await visitor.post("/dashboard/account", { intent: "delete", confirmation: email });
  expect(gone.headers.get("clear-site-data")).toBe('"cache", "storage"');
  expect([...visitor.cookies.keys()]).toEqual([]);
});

testInProof(
  "after a session that ended by itself only another person's sign-in empties the browser",
  async () => {
    const visitor = await signedIn("customer.one@example.com");
    expect(visitor.cookies.get("last-account")).not.toContain("customer");
    const arriveAs = async (email: string) => {
      visitor.loseSession();
      await visitor.request("/signin");
      await new Visitor().post("/signin", { intent: "magic_link", email });
      const link = linkIn(await mailTo(email, "Your sign-in link"));
      const page = await (await visitor.request(link)).text();
      return visitor.post("/auth/confirm", hiddenFieldsOf(page));
    };
    const same = await arriveAs("customer.one@example.com");
    expect([same.status, same.headers.get("clear-site-data")]).toEqual([303, null]);
    const other = await arriveAs("customer.two@example.com");
    expect([other.status, other.headers.get("clear-site-data")]).toEqual([
      303,
      '"cache", "storage"',
    ]);
  },
);

test("another scope is refused, another site as `next` is not followed, a stranger is asked in", async () => {
  const visitor = await signedIn();
  expect((await visitor.post("/signout", { scope: "all" })).status).toBe(400);
  expect(await isIn(visitor)).toBe(true);
  const away = await visitor.post("/signout", { scope: "others", next: "//elsewhere.example" });
  expect(away.headers.get("location")).toBe("/dashboard/account?notice=others-signed-out");
  const stranger = await new Visitor().post("/signout", { scope: "global" });
  expect(stranger.headers.get("location")).toBe("/signin?next=%2Fdashboard%2Faccount%23sessions");
});

testInProof.each([
  "/dashboard/account",
  "/dashboard/account/code",
  "/signin?next=/dashboard/account",
])(
  "where a site reads tokens without asking, a session ended elsewhere leads from %s to the form",
  async (path) => {
    await signWithKeyPair();
    const [here, there] = [await signedIn(), await signedIn()];
    await here.post("/signout", { scope: "others" });
    const { response, url } = await there.arrive(await there.request(path), path);
    expect([response.status, url.pathname]).toEqual([200, "/signin"]);
    expect(await response.text()).toContain("Sign in to your account");
    expect(sessionCookiesOf(there)).toEqual([]);
    expect((await here.request("/dashboard/account")).status).toBe(200);
  },
);
