import { expect, test } from "vitest";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { oneTapCredential } from "../../../fakes/google/one-tap.ts";
import { localGoogleClient } from "../../../fakes/supabase/fake.ts";
import { setUpSecondFactor } from "../../support/auth/account.ts";
import { googleCredential, nonceIn, oneTapVariables } from "../../support/auth/one-tap.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { fakes, refuseAtAuthServer } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const site = siteWithFaults(oneTapVariables);

/** Somebody on the sign-up page, and the hash of the nonce that it gives to Google. */
async function onSignUpPage() {
  const visitor = new Visitor(site().url);
  const response = await visitor.request("/signup");
  return { visitor, response, nonce: nonceIn(await response.text()) };
}

async function give(visitor: Visitor, credential: string) {
  const fields = { intent: "one_tap", credential, next: "/signup" };
  const response = await visitor.post("/signin", fields);
  const page = await response.text();
  return { status: response.status, location: response.headers.get("location"), page };
}

const policyOf = (response: Response) => response.headers.get("content-security-policy") ?? "";

test("id_token: Google's token of this browser signs in, once", async () => {
  const { visitor, nonce } = await onSignUpPage();
  const credential = await googleCredential(nonce);
  const copy = visitor.twin();
  const signed = await give(visitor, credential);
  expect([signed.status, signed.location]).toEqual([303, "/signup"]);
  expect((await visitor.request("/dashboard/account")).status).toBe(200);
  // Whoever got hold of the token has not the nonce; and it is given once, also where a browser keeps its cookie.
  const thief = await onSignUpPage();
  for (const who of [thief.visitor, visitor, copy, new Visitor(site().url)]) {
    expect((await give(who, credential)).status).toBe(400);
  }
});

test("one page alone lets Google's script in, exactly, and only where it is configured", async () => {
  const gsi = `${fakes().google.url}/gsi/`;
  const { response } = await onSignUpPage();
  const policy = policyOf(response);
  expect(policy).toMatch(new RegExp(`script-src [^;]*${gsi}client;`));
  expect(policy).toContain(`style-src 'self' ${gsi}style;`);
  expect(policy).toContain(`frame-src ${gsi};`);
  expect(policy).toMatch(new RegExp(`connect-src [^;]*${gsi};`));
  expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
  for (const path of ["/signin", "/pricing"]) {
    expect(policyOf(await new Visitor(site().url).request(path)), path).not.toContain("/gsi/");
  }
  const off = await new Visitor(siteUrl).request("/signup");
  expect(policyOf(off)).not.toContain("/gsi/");
  expect(off.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(off.headers.get("set-cookie")).toBeNull();
  const posted = await give(new Visitor(siteUrl), "a.b.c");
  expect([posted.status, posted.page.includes("not set up on this site")]).toEqual([400, true]);
});

testInProof.each([
  ["another site's token", (nonce: string) => googleCredential(nonce, email, "another-client")],
  ["another nonce", () => googleCredential("0".repeat(64))],
  ["no nonce", () => googleCredential("")],
  ["another key", async (nonce: string) => oneTapCredential(email, localGoogleClient.id, nonce)],
  ["no token at all", async () => "not a token"],
])("a token with %s is refused, and the button stays", async (_, credential) => {
  const { visitor, nonce } = await onSignUpPage();
  const refused = await give(visitor, await credential(nonce));
  expect(refused.status).toBe(400);
  expect(refused.page).toContain(signInFailures.oneTap.replace("'", "&#x27;"));
  expect((await visitor.request("/dashboard/account")).status).toBe(302);
});

testInProof("with Google switched off at the auth server it is not offered", async () => {
  const { visitor, nonce } = await onSignUpPage();
  await refuseAtAuthServer({
    path: "/auth/v1/token?grant_type=id_token",
    status: 400,
    error_code: "provider_disabled",
    msg: "Provider is not enabled",
  });
  const refused = await give(visitor, await googleCredential(nonce));
  expect([refused.status, refused.page.includes(signInFailures.notOffered)]).toEqual([503, true]);
});

testInProof("an account with a second factor gives it after One Tap too", async () => {
  await setUpSecondFactor(await signedIn(email, site().url));
  const { visitor, nonce } = await onSignUpPage();
  await give(visitor, await googleCredential(nonce));
  const page = await visitor.request("/signup");
  expect(page.headers.get("location")).toBe("/dashboard/account/code?next=%2Fsignup");
});
