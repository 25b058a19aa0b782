import * as z from "zod/mini";
import { type TaxSetting, taxSettings } from "~/platform/env/price-terms";
import { isProvider, type Provider, standardProviders } from "~/platform/env/providers";

const url = z.pipe(
  z.url({ protocol: /^https?$/, error: "must be an http(s) URL" }),
  z.transform((value: string) => new URL(value).href.replace(/\/$/, "")),
);
const text = z.string({ error: "is missing" }).check(z.minLength(1, "is missing"));
const optional = z.pipe(
  z.optional(z.string()),
  z.transform((value) => value || undefined),
);
const startsWith = (prefixes: readonly string[]) =>
  text.check(
    z.refine((value) => value === "" || prefixes.some((prefix) => value.startsWith(prefix)), {
      error: `must start with ${prefixes.join(" or ")}`,
    }),
  );
const optionalUrl = z.pipe(optional, z.optional(url));
const urlOr = (standard: string) =>
  z.pipe(
    z.pipe(
      z.optional(z.string()),
      z.transform((value): string => value || standard),
    ),
    url,
  );
/** The first secret signs and encrypts. The others only read what they signed or encrypted before. */
const cookieSecrets = z.pipe(
  text.check(
    z.refine(
      (value) => value === "" || secretsIn(value).every((secret) => decodedLength(secret) === 32),
      { error: "must be 32 bytes in base64, or several such, separated by commas" },
    ),
  ),
  z.transform(secretsIn),
);
/** Secrets that neither write nor read cookies any more. Tokens for agents that were made with them stay valid. */
const formerSecrets = z.pipe(
  z.optional(
    z
      .string()
      .check(
        z.refine(
          (value) =>
            !value.trim() || secretsIn(value).every((secret) => decodedLength(secret) === 32),
          { error: "must be 32 bytes in base64, or several such, separated by commas" },
        ),
      ),
  ),
  z.transform((value) => (value?.trim() ? secretsIn(value) : [])),
);
const onOrOff = z.pipe(
  z.optional(z.enum(["", "on", "off"], { error: 'must be "on" or "off"' })),
  z.transform((value) => value === "on"),
);
const onUnlessOff = z.pipe(
  z.optional(z.enum(["", "on", "off"], { error: 'must be "on" or "off"' })),
  z.transform((value) => value !== "off"),
);
/** Country calling codes without their plus sign; none for every country. */
const callingCodes = z.pipe(
  z.pipe(
    z.optional(z.string()),
    z.transform((value) =>
      value?.trim() ? value.split(",").map((code) => code.trim().replace(/^\+/, "")) : [],
    ),
  ),
  z.array(z.string().check(z.regex(/^[1-9]\d{0,6}$/, "must list calling codes, such as 49,43,41"))),
);
const providerNames = z.pipe(
  z.pipe(
    z.optional(z.string()),
    z.transform((value): string[] =>
      value?.trim() ? value.split(",").map((name) => name.trim()) : [...standardProviders],
    ),
  ),
  z
    .array(
      z.custom<Provider>(isProvider, { error: "must name providers that .dev.vars.example lists" }),
    )
    .check(
      z.refine((names) => new Set(names).size === names.length, {
        error: "must name each provider once",
      }),
    ),
);

function secretsIn(value: string): string[] {
  return value.split(",").map((secret) => secret.trim());
}

function decodedLength(base64: string): number {
  try {
    return atob(base64).length;
  } catch {
    return -1;
  }
}

/** Everybody can read `.dev.vars.example`: with its secrets a public site's cookies and webhooks could be forged. */
const sampleSecret = /^whsec_local_|^bG9jYWwtb25seS/;
const forgeable = ["STRIPE_WEBHOOK_SECRET", "COOKIE_SECRET"] as const;

/** Cloudflare's published keys for tests: with them every challenge passes, or every challenge fails. */
export const testingKey = /^[123]x0{10}/;

/**
 * The prefixes of Supabase's keys. Supabase accepts a forwarded address only with a secret key of this kind: with an
 * older one, all visitors would share one limit. If the two keys were swapped, visitors' queries would bypass
 * row-level security.
 */
const supabaseKeys = {
  SUPABASE_PUBLISHABLE_KEY: "sb_publishable_",
  SUPABASE_SECRET_KEY: "sb_secret_",
} as const;

/** Every variable the Worker reads; `.dev.vars.example` says what each is for. */
const variables = z
  .object({
    SITE_URL: url,
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: text,
    SUPABASE_SECRET_KEY: text,
    STRIPE_API_URL: urlOr("https://api.stripe.com"),
    STRIPE_SECRET_KEY: startsWith(["sk_", "rk_"]),
    STRIPE_PUBLISHABLE_KEY: optional,
    STRIPE_WEBHOOK_SECRET: startsWith(["whsec_"]),
    STRIPE_PRICE_BASIC: text,
    STRIPE_PRICE_PRO: text,
    STRIPE_PRICE_MONTHLY: text,
    STRIPE_PRICE_YEARLY: text,
    STRIPE_PRICE_BASIC_YEARLY: text,
    STRIPE_PRICE_PRO_MONTHLY: text,
    STRIPE_PORTAL_CONFIGURATION: optional,
    STRIPE_AUTOMATIC_TAX: z.pipe(
      z.optional(z.enum(["", ...taxSettings], { error: 'must be "off", "included" or "added"' })),
      z.transform((value): TaxSetting => value || "off"),
    ),
    STRIPE_BANK_TRANSFER: onOrOff,
    STRIPE_TAX_IDS: onUnlessOff,
    STRIPE_BILLING_ADDRESS: onOrOff,
    STRIPE_TERMS_CONSENT: onOrOff,
    GOOGLE_ONE_TAP_CLIENT_ID: optional,
    GOOGLE_IDENTITY_URL: urlOr("https://accounts.google.com"),
    GOOGLE_API_URL: urlOr("https://www.googleapis.com"),
    RESEND_API_URL: urlOr("https://api.resend.com"),
    RESEND_API_KEY: optional,
    SUPPORT_EMAIL: z.email({ error: "must be an e-mail address" }),
    SUPPORT_CHAT_URL: optionalUrl,
    SITE_OPERATOR: optional,
    COOKIE_SECRET: cookieSecrets,
    FORMER_COOKIE_SECRETS: formerSecrets,
    SIGN_IN_PROVIDERS: providerNames,
    KEYCLOAK_URL: optionalUrl,
    SIGN_IN_SMS: onOrOff,
    SECOND_FACTOR_SMS: onOrOff,
    SMS_COUNTRIES: callingCodes,
    SINGLE_SIGN_ON: onOrOff,
    TURNSTILE_SITE_KEY: optional,
    TURNSTILE_SECRET_KEY: optional,
    TURNSTILE_API_URL: urlOr("https://challenges.cloudflare.com"),
    DNS_API_URL: urlOr("https://cloudflare-dns.com/dns-query"),
    SERVER_PROBE_URL: optionalUrl,
    SERVERS_URL: optionalUrl,
  })
  .check(
    z.check(({ value, issues }) => {
      const names = ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"] as const;
      const [missing] = names.filter((name) => !value[name]);
      if (missing && names.some((name) => value[name])) {
        const message = "is missing: Turnstile needs both of its keys";
        issues.push({ code: "custom", path: [missing], message, input: undefined });
      }
    }),
    z.refine((read) => !read.SIGN_IN_PROVIDERS.includes("keycloak") || !!read.KEYCLOAK_URL, {
      path: ["KEYCLOAK_URL"],
      error: "is missing: SIGN_IN_PROVIDERS names keycloak",
    }),
    z.check(({ value, issues }) => {
      if (!value.SITE_URL.startsWith("https://")) return;
      for (const name of ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"] as const) {
        if (!testingKey.test(value[name] ?? "")) continue;
        const message = "is one of Cloudflare's keys for tests, which decide nothing";
        issues.push({ code: "custom", path: [name], message, input: undefined });
      }
      for (const [name, prefix] of Object.entries(supabaseKeys)) {
        if (value[name as keyof typeof supabaseKeys].startsWith(prefix)) continue;
        const message = `must start with ${prefix}: make one in Supabase, Project Settings → API Keys`;
        issues.push({ code: "custom", path: [name], message, input: undefined });
      }
      for (const name of forgeable) {
        if (![value[name]].flat().some((secret) => sampleSecret.test(secret))) continue;
        const message = "is still the sample value of .dev.vars.example";
        issues.push({ code: "custom", path: [name], message, input: undefined });
      }
    }),
  );

export type Configuration = z.output<typeof variables>;

type Reading =
  | { ok: true; configuration: Configuration }
  | { ok: false; problems: readonly string[] };

const readings = new WeakMap<object, Reading>();

/**
 * Reads and checks the Worker's variables, once per isolate.
 * A problem names the variable and never repeats its value.
 */
export function readConfiguration(env: object): Reading {
  const cached = readings.get(env);
  if (cached) return cached;
  const result = variables.safeParse(env);
  const reading: Reading = result.success
    ? { ok: true, configuration: result.data }
    : {
        ok: false,
        problems: [
          // Two unknown names in one list are one problem.
          ...new Set(
            result.error.issues.map(({ path, message, code }) =>
              code === "invalid_type"
                ? `${path[0]?.toString()} is missing`
                : `${path[0]?.toString()} ${message}`,
            ),
          ),
        ],
      };
  readings.set(env, reading);
  return reading;
}
