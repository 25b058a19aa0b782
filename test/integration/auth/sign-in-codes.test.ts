import { beforeAll, expect, test } from "vitest";
import { codeIn, mailTo } from "../../support/auth/inbox.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "ada@example.com";
const newPassword = "five loud routers sing";

beforeAll(resetFakes);

test("the code of a reset lets the user save a new password, which then signs them in", async () => {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "magic_link", email });
  await visitor.post("/signin", { intent: "forgotten_password", email });
  const code = codeIn(await mailTo(email, "Choose a new password"));
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  const opened = await visitor.post("/signin", {
    intent: "verify_code",
    kind: "recovery",
    email,
    code: spaced,
    next: "/docs",
  });
  expect([opened.status, opened.headers.get("location")]).toEqual([
    303,
    "/signin?next=%2Fdocs#auth-update-password",
  ]);
  const saved = await visitor.post("/signin", {
    intent: "update_password",
    password: newPassword,
    next: "/docs",
  });
  expect([saved.status, saved.headers.get("location")]).toEqual([
    303,
    "/signin?next=%2Fdocs&done=password-updated#auth-sign-in",
  ]);
  const back = await (await visitor.request("/signin?done=password-updated")).text();
  expect(back).toMatch(/role="status"[^>]*><span>Your password has been updated</);
  const signedIn = await visitor.post("/signin", {
    intent: "sign_in",
    email,
    password: newPassword,
    next: "/docs",
  });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/docs"]);
  const again = await new Visitor().post("/signin", { intent: "verify_code", email, code });
  expect(again.status).toBe(400);
});

test("a session alone is not enough to choose a password", async () => {
  const visitor = new Visitor();
  await visitor.signInWithGoogle("customer.one@example.com");
  const { status, page } = await postSignIn(visitor, {
    intent: "update_password",
    password: newPassword,
  });
  expect(status).toBe(403);
  expect(page).toContain("A new password needs a reset link");
});

testInProof.each([
  [{ intent: "sign_in", email: "", password: "x" }, "credentials"],
  [{ intent: "sign_in", email, password: "" }, "credentials"],
  [{ intent: "sign_up", email, password: "" }, "credentials"],
  [{ intent: "magic_link", email: "" }, "Enter your email address."],
  [{ intent: "magic_link", email: "   " }, "Enter your email address."],
  [{ intent: "forgotten_password", email: "" }, "Enter your email address."],
  [{ intent: "magic_link", email: "ada" }, "Write an e-mail address like name@example.com."],
  [{ intent: "verify_code", email: "", phone: "", code: "123456" }, "email or phone"],
  [{ intent: "verify_code", email, code: "" }, "Enter the code from the message."],
])("%j is refused in words, with the address kept", async (fields, words) => {
  const sentences: Record<string, string> = {
    credentials: "You must provide either an email or phone number and a password",
    "email or phone": "You must provide either an email or phone number.",
  };
  const { status, view } = await postSignIn(new Visitor(), fields);
  expect([status, view.alert]).toEqual([400, sentences[words] ?? words]);
  expect(view.email).toBe(fields.email);
});

testInProof("a weak password is refused with the reasons as a list", async () => {
  const fields = { intent: "sign_up", email: "weak@example.com", password: "short" };
  const { status, page, view } = await postSignIn(new Visitor(), fields);
  expect(status).toBe(422);
  expect(view.alert).toBe(
    "This password is too easy to guess: It is too short. Use at least 8 characters.",
  );
  expect(page).toMatch(/<ul[^>]*><li>It is too short\. Use at least 8 characters\.<\/li><\/ul>/);
});

test("a browser that keeps no cookies is told so after the sign-in, and nobody else is (C11)", async () => {
  const visit = async (headers: Record<string, string>, path = "/dashboard") => {
    const sent = { "cf-connecting-ip": new Visitor().address, ...headers };
    const answer = await fetch(`${siteUrl}${path}`, { redirect: "manual", headers: sent });
    return answer.headers.get("location") ?? "";
  };
  const referer = `${siteUrl}/signin?next=%2Fdashboard`;
  const back = await visit({ referer });
  expect(back).toBe("/signin?next=%2Fdashboard&problem=no-cookies");
  const page = await (await new Visitor().request(back)).text();
  expect(textOfHtml(page)).toContain(
    "Your browser keeps no cookies from this site, so nobody can be signed in here.",
  );
  const silent = "/signin?next=%2Fdashboard";
  expect(await visit({ referer, cookie: "any=1" })).toBe(silent);
  expect(await visit({ referer: `${siteUrl}/pricing` })).toBe(silent);
  expect(await visit({ referer: "https://elsewhere.example/signin" })).toBe(silent);
  expect(await visit({})).toBe(silent);
});
