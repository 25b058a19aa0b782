import { createServerClient } from "@supabase/ssr";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type GoogleFake, startGoogleFake } from "../../../fakes/google/fake.ts";
import { type MailFake, startMailFake } from "../../../fakes/mail/fake.ts";
import {
  googleCallbackUrl,
  localGoogleClient,
  type SupabaseFake,
  startSupabaseFake,
} from "../../../fakes/supabase/fake.ts";

const ports = { supabase: 24620, google: 24621, mail: 24623 };
const siteUrl = "http://localhost:24624";
const supabaseUrl = `http://127.0.0.1:${ports.supabase}`;
const publishableKey = "sb_publishable_local_test";
const secretKey = "sb_secret_local_test";

let mail: MailFake;
let google: GoogleFake;
let supabase: SupabaseFake;

beforeAll(async () => {
  mail = await startMailFake({ port: ports.mail, apiKeys: ["re_local_test"] });
  google = await startGoogleFake({
    port: ports.google,
    clientId: localGoogleClient.id,
    clientSecret: localGoogleClient.secret,
    redirectUris: [googleCallbackUrl(supabaseUrl)],
  });
  supabase = await startSupabaseFake({
    port: ports.supabase,
    publishableKey,
    secretKey,
    siteUrl,
    googleUrl: google.url,
    sendMail: mail.deliver,
  });
}, 60_000);

afterAll(() => Promise.all([supabase?.close(), google?.close(), mail?.close()]));

beforeEach(() => Promise.all([supabase.reset(), google.reset(), mail.reset()]));

/** A client as the Worker makes it, with a cookie jar in place of a browser's. */
function browserSession() {
  const jar = new Map<string, string>();
  const client = createServerClient(supabaseUrl, publishableKey, {
    cookies: {
      getAll: () => [...jar].map(([name, value]) => ({ name, value })),
      setAll: (cookies) => {
        for (const { name, value } of cookies) jar.set(name, value);
      },
    },
  });
  return { client, jar };
}

function service() {
  return createClient(supabaseUrl, secretKey, { auth: { persistSession: false } });
}

/** Follows sign-in with Google up to the redirect back to the site. */
async function chooseGoogleAccount(consentUrl: string, email: string): Promise<URL> {
  const consent = await fetch(consentUrl, { redirect: "manual" });
  expect(consent.status).toBe(302);
  const page = await (await fetch(consent.headers.get("location") ?? "")).text();
  const form = page.split("<form").find((each) => each.includes(`value="${email}"`)) ?? "";
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")],
  );
  const chosen = await fetch(`${google.url}/o/oauth2/v2/auth/callback`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  const back = await fetch(chosen.headers.get("location") ?? "", { redirect: "manual" });
  return new URL(back.headers.get("location") ?? "");
}

async function signInWithGoogle(email: string, scopes?: string) {
  const session = browserSession();
  const { data } = await session.client.auth.signInWithOAuth({
    provider: "google",
    options: {
      redirectTo: `${siteUrl}/auth/callback?next=%2Fdashboard`,
      skipBrowserRedirect: true,
      ...(scopes ? { scopes, queryParams: { include_granted_scopes: "true" } } : {}),
    },
  });
  const back = await chooseGoogleAccount(data.url ?? "", email);
  expect(back.origin + back.pathname).toBe(`${siteUrl}/auth/callback`);
  expect(back.searchParams.get("next")).toBe("/dashboard");
  const exchange = await session.client.auth.exchangeCodeForSession(
    back.searchParams.get("code") ?? "",
  );
  expect(exchange.error).toBeNull();
  if (!exchange.data.session) throw new Error("Google sign-in gave no session");
  return { ...session, session: exchange.data.session, user: exchange.data.session.user };
}

function confirmLink(to: string): URL {
  const html = mail.messages(to)[0]?.html ?? "";
  const link = /href="([^"]+)"/.exec(html)?.[1] ?? "";
  return new URL(link.replaceAll("&amp;", "&"));
}

test("signing in with Google on the server gives a session with Google's tokens", async () => {
  const { user, session, client } = await signInWithGoogle("customer.one@example.com");
  expect(user.email).toBe("customer.one@example.com");
  expect(user.user_metadata.full_name).toBe("Customer One");
  expect(session.provider_token).toMatch(/^google_/);
  expect(session.provider_refresh_token).toMatch(/^google_refresh_/);
  const claims = await client.auth.getClaims();
  expect(claims.data?.claims.sub).toBe(user.id);
});

test("signing in with Google twice finds the same user", async () => {
  const first = await signInWithGoogle("customer.one@example.com");
  const second = await signInWithGoogle("customer.one@example.com");
  expect(second.user.id).toBe(first.user.id);
  expect(second.user.identities).toHaveLength(1);
});

test("a Google account with an unverified address cannot sign in as somebody confirmed", async () => {
  const session = browserSession();
  const { data } = await session.client.auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo: `${siteUrl}/auth/callback`, skipBrowserRedirect: true },
  });
  const back = await chooseGoogleAccount(data.url ?? "", "unverified@example.com");
  expect(back.searchParams.get("code")).toBeNull();
});

test("refusing at Google leads back with an error", async () => {
  const { client } = browserSession();
  const { data } = await client.auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo: `${siteUrl}/auth/callback`, skipBrowserRedirect: true },
  });
  const consent = await fetch(data.url ?? "", { redirect: "manual" });
  const page = await (await fetch(consent.headers.get("location") ?? "")).text();
  const cancel = /<a href="([^"]+)">Cancel/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const back = await fetch(cancel, { redirect: "manual" });
  const location = new URL(back.headers.get("location") ?? "");
  expect(location.origin).toBe(siteUrl);
  expect(location.searchParams.get("error")).toBe("access_denied");
});

test("Google's tokens open the APIs that were consented to, and a made-up one gets 401", async () => {
  const api = "https://www.googleapis.com/auth/";
  const ask = (token: string | null | undefined, path = "/gmail/v1/users/me/labels") =>
    fetch(google.url + path, { headers: { authorization: `Bearer ${token}` } });
  const signedIn = await signInWithGoogle("customer.one@example.com");
  expect((await ask(signedIn.session.provider_token)).status).toBe(403);

  const mail = await signInWithGoogle("customer.one@example.com", `${api}gmail.metadata`);
  const labels = await ask(mail.session.provider_token);
  expect(await labels.json()).toMatchObject({ labels: expect.any(Array) });
  const more = await signInWithGoogle("customer.one@example.com", `${api}tasks`);
  for (const path of ["/gmail/v1/users/me/labels", "/tasks/v1/lists/@default/tasks"]) {
    expect((await ask(more.session.provider_token, path)).status).toBe(200);
  }
  expect((await ask("google_made_up")).status).toBe(401);
});

test("a redirect to a foreign site is replaced by the site itself", async () => {
  const { client } = browserSession();
  const { data } = await client.auth.signInWithOAuth({
    provider: "google",
    options: { redirectTo: "https://elsewhere.example/steal", skipBrowserRedirect: true },
  });
  const back = await chooseGoogleAccount(data.url ?? "", "customer.one@example.com");
  expect(back.origin).toBe(siteUrl);
});

test("a sign-up is confirmed by the link in the mail, with type email", async () => {
  const { client } = browserSession();
  const email = "customer.three@example.com";
  const signUp = await client.auth.signUp({ email, password: "correct horse battery" });
  expect(signUp.error).toBeNull();
  expect(signUp.data.session).toBeNull();
  const early = await client.auth.signInWithPassword({ email, password: "correct horse battery" });
  expect(early.error?.code).toBe("email_not_confirmed");

  const link = confirmLink(email);
  expect(link.origin + link.pathname).toBe(`${siteUrl}/auth/confirm`);
  expect(link.searchParams.get("type")).toBe("email");
  const confirmed = await client.auth.verifyOtp({
    token_hash: link.searchParams.get("token_hash") ?? "",
    type: "email",
  });
  expect(confirmed.data.user?.email).toBe(email);
});

test("the code in a magic-link mail signs in with type email, once", async () => {
  const email = "customer.four@example.com";
  const { client } = browserSession();
  await client.auth.signInWithOtp({ email });
  const code = /\b(\d{8})\b/.exec(mail.messages(email)[0]?.text ?? "")?.[1] ?? "";
  const first = await client.auth.verifyOtp({ email, token: code, type: "email" });
  expect(first.data.user?.email).toBe(email);
  const again = await browserSession().client.auth.verifyOtp({ email, token: code, type: "email" });
  expect(again.error?.code).toBe("otp_expired");
});

test("a recovery link lets a person choose a new password", async () => {
  const email = "customer.five@example.com";
  const { client } = browserSession();
  await client.auth.signUp({ email, password: "correct horse battery" });
  await client.auth.verifyOtp({
    token_hash: confirmLink(email).searchParams.get("token_hash") ?? "",
    type: "email",
  });
  await client.auth.signOut();
  await client.auth.resetPasswordForEmail(email);
  const link = confirmLink(email);
  expect(link.searchParams.get("type")).toBe("recovery");
  await client.auth.verifyOtp({
    token_hash: link.searchParams.get("token_hash") ?? "",
    type: "recovery",
  });
  expect((await client.auth.updateUser({ password: "another long password" })).error).toBeNull();
  const signIn = await browserSession().client.auth.signInWithPassword({
    email,
    password: "another long password",
  });
  expect(signIn.data.user?.email).toBe(email);
});

test("people read their own customer row, others and visitors read nothing, nobody writes", async () => {
  const owner = await signInWithGoogle("customer.one@example.com");
  const other = await signInWithGoogle("customer.two@example.com");
  const written = await service()
    .from("customers")
    .insert({ id: "cus_one", user_id: owner.user.id, origin: "account", email: owner.user.email });
  expect(written.error).toBeNull();

  expect((await owner.client.from("customers").select("id")).data).toEqual([{ id: "cus_one" }]);
  expect((await other.client.from("customers").select("id")).data).toEqual([]);
  const visitor = createClient(supabaseUrl, publishableKey);
  expect((await visitor.from("customers").select("id")).data ?? []).toEqual([]);
  const attempt = await owner.client.from("customers").update({ email: "x@example.com" }).select();
  expect(attempt.error?.code).toBe("42501");
  const ticket = await owner.client.rpc("take_sync_ticket");
  expect(ticket.error?.code).toBe("42501");
});

test("an unknown key is refused", async () => {
  const stranger = createClient(supabaseUrl, "sb_publishable_of_somebody_else");
  expect((await stranger.from("customers").select("id")).status).toBe(401);
});

test("the secret key reads and deletes users, other keys do not", async () => {
  const { user } = await signInWithGoogle("customer.one@example.com");
  const admin = service().auth.admin;
  expect((await admin.listUsers()).data.users.map((each) => each.id)).toEqual([user.id]);
  expect((await admin.getUserById(user.id)).data.user?.email).toBe(user.email);

  const visitor = createClient(supabaseUrl, publishableKey);
  expect((await visitor.auth.admin.deleteUser(user.id)).error?.status).toBe(401);
  expect((await admin.deleteUser(user.id)).error).toBeNull();
  expect((await admin.getUserById(user.id)).error?.status).toBe(404);
});

test("a reset forgets everybody and keeps the schema", async () => {
  const { client } = await signInWithGoogle("customer.one@example.com");
  await supabase.reset();
  expect((await client.auth.getUser()).error).not.toBeNull();
  expect(await supabase.query("select id from auth.users")).toEqual([]);
  expect((await service().from("customers").select("id")).data).toEqual([]);
});
