import { createClient } from "@supabase/supabase-js";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

export const password = "four quiet servers hum";

/** What a browser calls itself: the platform takes the secret key from nobody who says so. */
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0";

/** An address that nobody else has: limits count addresses, and outlive a test. */
export function newAddress(name = "ada"): string {
  return `${name}.${crypto.randomUUID().slice(0, 8)}@example.com`;
}

/** The auth server as the holder of the secret key sees it. */
function admin() {
  const { auth } = createClient(variable("SUPABASE_URL"), variable("SUPABASE_SECRET_KEY"), {
    auth: { persistSession: false },
  });
  return auth.admin;
}

/** Somebody with a password and a confirmed address. Answers the address. */
export async function someoneWithPassword(name?: string): Promise<string> {
  const email = newAddress(name);
  const { error } = await admin().createUser({ email, password, email_confirm: true });
  if (error) throw error;
  return email;
}

/** Types address and password, by default in a browser of its own. */
export async function signInByPassword(email: string, visitor = new Visitor()) {
  const fields = { intent: "sign_in", email, password };
  const response = await visitor.post("/signin", fields, { headers: { "user-agent": browser } });
  return { visitor, status: response.status, page: await response.text() };
}

/** Somebody in a browser of their own who has signed in with a password. */
export async function signedInByPassword(email: string): Promise<Visitor> {
  const { visitor, status } = await signInByPassword(email);
  if (status !== 303) throw new Error(`Signing in as ${email} answered ${status}`);
  return visitor;
}

/** Whether a private page opens. */
export async function isIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.request("/dashboard")).status === 200;
}
