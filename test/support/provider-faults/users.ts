import { createClient } from "@supabase/supabase-js";
import { googleTools } from "../../../app/content/google-tools.ts";
import { hashOf, newToken } from "../../../app/features/agents/api/token.ts";
import { newWorkspaceToken } from "../../../app/features/api/site/token.ts";
import { hashedSubject } from "../../../app/features/auth/attempt-limit.server.ts";
import { keepConnection } from "../../../app/features/google/connection/google-connection.server.ts";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";
import { googleCallbackUrl, localGoogleClient } from "../../../fakes/supabase/fake.ts";
import { codeIn, linkIn, type Mail, mailsTo, mailTo } from "../auth/inbox.ts";
import { cookieValue, sessionCookieName } from "../auth/session-cookie.ts";
import { buyAtStripe, prices } from "../billing/stripe-account.ts";
import { madeUpEvent } from "../billing/webhook-delivery.ts";
import { database, personalWorkspaceOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import {
  hashOfSecret,
  newSecret,
  storeTestEmbed,
  storeTestLink,
} from "../deployments/test-links.ts";
import { consentAtGoogle, googleEmail } from "../google/google-fake.ts";
import { fakes } from "../site/control-fakes.ts";
import { randomAddress } from "../site/network-address.ts";
import { pollUntil } from "../site/poll.ts";
import { siteVariables, variable } from "../site/variables.ts";
import { Visitor } from "../site/visitor.ts";

export const password = "four quiet servers hum";

/** The address to which somebody asks to change theirs. */
export const newEmailOf = (email: string) => `new.${email}`;

/** Somebody who tries everything, and whatever names them in a request to a provider. */
export type Newcomer = Awaited<ReturnType<typeof newcomer>>;
export type Owner = Awaited<ReturnType<typeof owner>>;

/** Somebody with an account and nothing else, signed in at the site. */
export async function newcomer(siteUrl: string, email: string) {
  const auth = createClient(variable("SUPABASE_URL"), variable("SUPABASE_SECRET_KEY"), {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { "sb-forwarded-for": randomAddress() } },
  }).auth;
  await auth.signInWithOtp({ email });
  const token = codeIn(await mailTo(email, "Your sign-in link"));
  const { data, error } = await auth.verifyOtp({ email, token, type: "email" });
  if (!data.session) throw new Error(`${email} could not sign in: ${error?.message}`);
  await auth.updateUser({ password });
  const { user } = data.session;
  const browser = new Visitor(siteUrl);
  browser.setCookie(sessionCookieName, cookieValue(data.session));
  const attempt = crypto.randomUUID();
  return {
    email,
    userId: user.id,
    /** Lets a sign-in link be mailed, past the site, and answers its address. */
    async mailLink(): Promise<string> {
      const before = await mailsTo(email);
      const { error } = await auth.signInWithOtp({ email });
      if (error) throw error;
      const isNew = (mails: readonly Mail[]) => mails.length > before.length;
      const [newest] = await pollUntil(() => mailsTo(email), isNew);
      if (!newest) throw new Error(`No mail for ${email}`);
      return linkIn(newest);
    },
    /** A guest's checkout, as a browser names it. */
    attempt,
    browser,
    marks: new Set([
      ...[email, user.id, attempt, `code-of-${user.id}`],
      // The database is not told in clear whose attempt it counts.
      ...(await Promise.all([email, newEmailOf(email), user.id].map(asCounted))),
    ]),
  };
}

/** Somebody who has everything: a plan, a deployment in two versions, a token, a Google account. */
export async function owner(siteUrl: string, email: string, atGoogle = googleEmail) {
  const person = await newcomer(siteUrl, email);
  const { userId, browser, marks } = person;
  const [bought, google] = await Promise.all([
    buyAtStripe({ email, userId, price: prices.pro }),
    consentAtGoogle(googleClient(), [...new Set(googleTools.flatMap(({ scopes }) => scopes))], {
      email: atGoogle,
    }),
  ]);
  const { configuration } = site();
  const connection = {
    token: google.access_token,
    scopes: google.scope.split(" ").map((scope) => scope.replace(/^.*\/auth\//, "")),
    userId,
    email: atGoogle,
  };
  const [pair = ""] = (await keepConnection({ configuration }, connection, 3_600)).split(";");
  browser.setCookie("google-connection", pair.slice(pair.indexOf("=") + 1));

  const deployment = await storeDeployment(userId, fullOptions());
  await storeVersion(userId, deployment, { ...fullOptions(), domain: "new.example.com" }, 1);
  const deleted = await storeDeployment(userId, fullOptions(), "Deleted");
  await database.rpc("delete_deployment", { owner: userId, target: deleted }).throwOnError();
  const agentToken = await newToken(configuration);
  const hash = await hashOf(agentToken);
  await database
    .rpc("create_api_token", {
      owner: userId,
      new_name: "Agent",
      new_hash: hash,
      new_ending: agentToken.slice(-4),
      allowed: 20,
    })
    .throwOnError();
  const apiToken = await newWorkspaceToken(configuration);
  const apiHash = await hashOf(apiToken);
  await database
    .rpc("create_workspace_token", {
      ...{ actor: userId, workspace: await personalWorkspaceOf(userId), new_name: "CI" },
      ...{ new_hash: apiHash, new_ending: apiToken.slice(-4), allowed: 20 },
      new_scopes: ["deployments:write"],
      new_end: new Date(Date.now() + 86_400_000).toISOString(),
    })
    .throwOnError();
  const testLink = newSecret();
  await storeTestLink(deployment, testLink);
  const testEmbed = await storeTestEmbed(deployment);
  const event = madeUpEvent("customer.updated", { id: bought.customer, object: "customer" });
  const { customer, session } = bought;
  for (const mark of [customer, session, google.access_token, hash, apiHash, event.id])
    marks.add(mark);
  for (const mark of [hashOfSecret(testLink), testEmbed]) marks.add(mark);
  return {
    ...person,
    ...bought,
    atGoogle,
    deployment,
    deleted,
    agentToken,
    apiToken,
    event,
    testLink,
    testEmbed,
  };
}

const asCounted = (subject: string) => hashedSubject(site().configuration, subject);

function site() {
  const reading = readConfiguration(siteVariables);
  if (!reading.ok) throw new Error(reading.problems.join());
  return reading;
}

function googleClient() {
  const { google, supabase } = fakes();
  return {
    url: google.url,
    clientId: localGoogleClient.id,
    clientSecret: localGoogleClient.secret,
    redirectUri: googleCallbackUrl(supabase.url),
  };
}
