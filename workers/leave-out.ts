import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** The Stripe resources that the Worker calls, as paths below stripe/esm/resources. */
const usedStripeResources = new Set([
  "BillingPortal/Sessions",
  "Checkout/Sessions",
  "Customers",
  "Subscriptions",
]);

/** Supabase clients that createClient makes in any case and the Worker never uses. */
const unusedSupabaseParts: Record<string, string> = {
  "@supabase/realtime-js": "export class RealtimeClient { setAuth() {} }",
  "@supabase/storage-js": "export class StorageClient {} export class StorageApiError {}",
  "@supabase/functions-js": ["FunctionRegion", "FunctionsClient", "FunctionsError"]
    .concat(["FunctionsFetchError", "FunctionsHttpError", "FunctionsRelayError"])
    .map((name) => `export class ${name} {}`)
    .join("\n"),
};

/** Modules that others of their library import for what the Worker never does: passkeys, wallets, thin events. */
const unusedModules =
  /\/(auth-js\/dist\/module\/lib\/(webauthn|webauthn\.errors|web3\/ethereum)|stripe\/esm\/(StripeEventNotificationHandler|Decimal))\.js$/;

/** Stripe's decimals stay the strings that Stripe sends: nothing here calculates with parts of a cent. */
const withoutDecimals = `
export const coerceV2RequestData = (data) => data;
export const coerceV2ResponseData = (data) => data;
`;

const prefix = "\0left-out:";
const stub = `${prefix}unused`;
const stubCode = `export class LeftOut {
  constructor() {
    return new Proxy(this, {
      get(target, key) {
        if (key in target || typeof key === "symbol") return target[key];
        throw new Error("This part of a library is left out of the Worker: see workers/leave-out.ts");
      },
    });
  }
}`;

/** React Router calls these only for `instrumentations`, which this product does not pass. */
const routerInstrumentation = `
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
export const instrumentHandler = (handler) => handler;
export const instrumentationResultMetaContext = {};
`;

/**
 * Leaves parts of libraries that are never called out of what is sent: about a third of the Worker's
 * upload, compressed, and a little of every page's script. A call to a Stripe resource that is not in
 * the list above throws and says so.
 */
export function leaveOutUnusedParts(): Plugin[] {
  return [
    {
      name: "leave-out-unused-router-parts",
      apply: "build",
      enforce: "pre",
      load: (id) =>
        /\/react-router\/dist\/production\/lib\/router\/instrumentation\.js$/.test(id)
          ? routerInstrumentation
          : undefined,
    },
    {
      name: "leave-out-unused-server-parts",
      enforce: "pre",
      applyToEnvironment: ({ name }) => name === "ssr",
      resolveId(source) {
        if (source === stub) return source;
        return source in unusedSupabaseParts ? prefix + source : undefined;
      },
      load(id) {
        if (id === stub) return stubCode;
        if (id.startsWith(prefix)) return unusedSupabaseParts[id.slice(prefix.length)];
        // renderToString and its like; we render to a stream.
        if (/\/react-dom-server-legacy\.browser\.production\.js$/.test(id)) return "";
        if (/\/stripe\/esm\/V2Coercion\.js$/.test(id)) return withoutDecimals;
        if (unusedModules.test(id)) return leftOut(id);
        const resource = /\/stripe\/esm\/resources\/(.+(?<!\/index))\.js$/.exec(id)?.[1];
        if (!resource || usedStripeResources.has(resource)) return;
        return leftOut(id);
      },
    },
  ];
}

/** A module with the same names as the one in this file, which all throw when they are used. */
function leftOut(file: string): string {
  const source = readFileSync(file, "utf8");
  const declared = source.matchAll(/^export (?:async )?(?:class|function|const) (\w+)/gm);
  const again = source.matchAll(/^export \{([^}]*)\};?$/gm);
  const names = [
    ...[...declared].map(([, name]) => name),
    ...[...again].flatMap(([, list = ""]) => list.split(",").map((name) => name.trim())),
  ].filter(Boolean);
  return `export { ${names.map((name) => `LeftOut as ${name}`).join(", ")} } from "${stub}"`;
}
