import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { withoutBodies, withoutUnusedMethods } from "./leave-out-methods.ts";

/**
 * The methods of Stripe's resources that the Worker calls, by the resource's path below
 * stripe/esm/resources. Any other throws, and says so; of a resource that is not here there is nothing.
 */
const usedStripeMethods = new Map([
  ["BillingPortal/Sessions", ["create"]],
  ["Checkout/Sessions", ["create", "expire", "list", "retrieve"]],
  ["Customers", ["create", "list", "retrieve", "update"]],
  ["InvoicePayments", ["list"]],
  ["Invoices", ["createPreview", "list", "retrieve", "voidInvoice"]],
  ["Prices", ["retrieve"]],
  ["Products", ["list"]],
  ["Refunds", ["create"]],
  ["Subscriptions", ["cancel", "list", "retrieve", "update"]],
  ["SubscriptionSchedules", ["create", "release", "retrieve", "update"]],
]);

/** What a Stripe client makes of itself, for every request: `customers`, `checkout`. */
const usedStripeProperties = new Set(
  [...usedStripeMethods.keys()].map((path) => {
    const [first = ""] = path.split("/");
    return first.charAt(0).toLowerCase() + first.slice(1);
  }),
);

/** Packages that are imported and never used in the Worker: a browser's, and clients that Supabase's makes in any case. */
const unusedPackages: Record<string, string> = {
  "@stripe/stripe-js/pure": "export const loadStripe = undefined;",
  "@supabase/realtime-js": "export class RealtimeClient { setAuth() {} }",
  "@supabase/storage-js": "export class StorageClient {} export class StorageApiError {}",
  "@supabase/functions-js": ["FunctionRegion", "FunctionsClient", "FunctionsError"]
    .concat(["FunctionsFetchError", "FunctionsHttpError", "FunctionsRelayError"])
    .map((name) => `export class ${name} {}`)
    .join("\n"),
};

/** The methods that the Worker calls, by the module that has them; those that they call stay too. */
const usedMethods: [file: RegExp, names: string][] = [
  [
    /\/auth-js\/dist\/module\/GoTrueClient\.js$/,
    "initialize onAuthStateChange getSession getClaims getUser updateUser signUp resend verifyOtp " +
      "signInWithPassword signInWithOAuth signInWithOtp exchangeCodeForSession setSession signOut " +
      "refreshSession resetPasswordForEmail linkIdentity unlinkIdentity " +
      "_enroll _unenroll _challengeAndVerify",
  ],
  [/\/auth-js\/dist\/module\/GoTrueAdminApi\.js$/, "deleteUser _deleteFactor signOut"],
  [
    /\/postgrest-js\/dist\/index\.mjs$/,
    "then from rpc throwOnError returns overrideTypes abortSignal select insert upsert update delete " +
      "order limit range single maybeSingle eq neq in is gt gte lt lte not or filter like ilike contains",
  ],
];

/** What kept methods of auth-js name and never reach: in browsers only, or for tokens of Google's own button. */
const unreachedMethods = [
  "_getSessionFromURL",
  "_onVisibilityChanged",
  "_startAutoRefresh",
  "linkIdentityIdToken",
];

/** Modules that others of their library import for what the Worker never does: passkeys, wallets, thin events. */
const unusedModules =
  /\/(auth-js\/dist\/module\/lib\/(webauthn|webauthn\.errors|web3\/ethereum)|stripe\/esm\/(StripeEventNotificationHandler|Decimal))\.js$/;

/** Stripe's decimals stay the strings that Stripe sends: nothing here calculates with parts of a cent. */
const withoutDecimals = `
export const coerceV2RequestData = (data) => data;
export const coerceV2ResponseData = (data) => data;
`;

/** Functions and methods that nothing in the Worker calls, by the module that has them, with what only they use. */
const unusedFunctions: [file: RegExp, names: string][] = [
  // Nobody reads where in the tree an error was thrown, preloads by a call, or lets a form keep an action's state.
  [
    /\/react-dom-server\.edge\.production\.js$/,
    "describeComponentStackByType prefetchDNS preconnect preload preloadModule preinitStyle " +
      "preinitScript preinitModuleScript useActionState renderSuspenseListRows defaultErrorHandler",
  ],
  // A browser reads loaders' data, prefetches and submits forms. The root has a page for its errors.
  [
    /\/react-router\/dist\/production\/lib\/dom\/ssr\/single-fetch\.js$/,
    "decodeViaTurboStream fetchAndDecodeViaTurboStream",
  ],
  [/\/react-router\/dist\/production\/lib\/dom\/ssr\/components\.js$/, "PrefetchPageLinks"],
  [
    /\/react-router\/dist\/production\/lib\/dom\/ssr\/errorBoundaries\.js$/,
    "RemixRootDefaultErrorBoundary BoundaryShell",
  ],
  [
    /\/react-router\/dist\/production\/lib\/dom\/ssr\/fallback\.js$/,
    "RemixRootDefaultHydrateFallback",
  ],
  [/\/react-router\/dist\/production\/lib\/dom\/dom\.js$/, "getFormSubmissionInfo"],
  [
    /\/react-router\/dist\/production\/lib\/hooks\.js$/,
    "useNavigateUnstable DefaultErrorComponent",
  ],
  // OpenTelemetry's headers.
  [/\/supabase-js\/dist\/index\.mjs$/, "getTraceHeaders"],
  // Requests to paths of one's own, and the checks of signatures that cannot wait for the platform.
  [/\/stripe\/esm\/RequestSender\.js$/, "_rawRequest _streamingResponseHandler"],
  [
    /\/stripe\/esm\/stripe\.core\.js$/,
    "_buildEventNotification parseEventNotification withStripeContext notificationHandler",
  ],
  [
    /\/stripe\/esm\/Webhooks\.js$/,
    "constructEvent verifyHeader generateTestHeaderString generateTestHeaderStringAsync",
  ],
  [
    /\/stripe\/esm\/platform\/WebPlatformFunctions\.js$/,
    "tryBufferData createNodeHttpClient createNodeCryptoProvider",
  ],
];

const prefix = "\0left-out:";
const stub = `${prefix}unused`;
const stubCode = `export function leftOut() {
  throw new Error("This part of a library is left out of the Worker: see workers/leave-out.ts");
}
export class LeftOut {
  constructor() {
    return new Proxy(this, {
      get(target, key) {
        if (key in target || typeof key === "symbol") return target[key];
        leftOut();
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
 * upload, compressed, and a little of every page's script. What is left out throws when it is called, and
 * says where the lists are.
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
      resolveId(source, importer) {
        if (source === stub) return source;
        // Two libraries, one cookie parser: the router's.
        if (source === "cookie") return this.resolve("cookie-es", importer);
        return source in unusedPackages ? prefix + source : undefined;
      },
      load(id) {
        if (id === stub) return stubCode;
        if (id.startsWith(prefix)) return unusedPackages[id.slice(prefix.length)];
        // renderToString and its like; we render to a stream.
        if (/\/react-dom-server-legacy\.browser\.production\.js$/.test(id)) return "";
        if (/\/stripe\/esm\/V2Coercion\.js$/.test(id)) return withoutDecimals;
        if (unusedModules.test(id)) return leftOut(id);
        if (/\/stripe\/esm\/resources\.js$/.test(id)) {
          return withoutUnusedResources(readFileSync(id, "utf8"));
        }
        const resource = /\/stripe\/esm\/resources\/(.+(?<!\/index))\.js$/.exec(id)?.[1];
        const methods =
          usedStripeMethods.get(resource ?? "") ??
          usedMethods.find(([file]) => file.test(id))?.[1].split(" ");
        const functions = unusedFunctions.find(([file]) => file.test(id))?.[1].split(" ");
        if (functions) {
          const code = readFileSync(id, "utf8");
          const client = /\/stripe\.core\.js$/.test(id) ? withoutUnusedResources(code) : code;
          return `import { leftOut } from "${stub}";\n${withoutBodies(client, functions)}`;
        }
        if (methods) {
          const code = withoutUnusedMethods(readFileSync(id, "utf8"), methods, unreachedMethods);
          return `import { leftOut } from "${stub}";\n${code}`;
        }
        return resource ? leftOut(id) : undefined;
      },
    },
  ];
}

/** Stripe's client without the properties for resources that nothing asks for. */
function withoutUnusedResources(code: string): string {
  return code
    .replace(/^ +this\.(\w+) = new \w+\(this\);\n/gm, (line, name: string) =>
      usedStripeProperties.has(name) ? line : "",
    )
    .replace(/^import \* as resources from .*$/m, "const resources = {};")
    .replace(/ = (resourceNamespace\()/g, " = /* @__PURE__ */ $1");
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
