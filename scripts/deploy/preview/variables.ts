import { parseEnv } from "node:util";
import { UsageError } from "../../lib/settings.ts";

/** What a preview must not have: real money, and access to a database or to the Cloudflare account. */
const forbidden: readonly { name: RegExp; value: RegExp; says: string }[] = [
  { name: /./, value: /^(sk|rk|pk)_live_/, says: "is a live key of Stripe. Use a test key" },
  { name: /^SUPABASE_DB_/, value: /./, says: "leads into a database. The Worker does not need it" },
  { name: /^CLOUDFLARE_/, value: /./, says: "opens the Cloudflare account. Take it out" },
];

/**
 * The variables of a preview, from a text like `.dev.vars`; its own address is `SITE_URL`. Throws one
 * sentence about what does not belong there, which never repeats a value.
 */
export function previewVariables(text: string | undefined, siteUrl: string) {
  const variables = parseEnv(text ?? "");
  if (!variables.STRIPE_SECRET_KEY) {
    throw new UsageError("PREVIEW_VARIABLES must hold the preview's variables, like .dev.vars.");
  }
  for (const [name, value = ""] of Object.entries(variables)) {
    const rule = forbidden.find((each) => each.name.test(name) && each.value.test(value));
    if (rule) throw new UsageError(`${name} in PREVIEW_VARIABLES ${rule.says}.`);
  }
  const given = Object.entries(variables).filter(([, value]) => value);
  return { ...Object.fromEntries(given), SITE_URL: siteUrl };
}
