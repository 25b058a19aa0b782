import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { contactTopics } from "../../../app/content/contact.ts";
import { deploymentFields } from "../../../app/content/deployment-fields.ts";
import googleTools from "../../../app/content/google-tools.json" with { type: "json" };
import { accountRequests } from "../../../app/features/account/settings/account-request.server.ts";
import { signInRequest } from "../../../app/features/account/sign-in/sign-in-request.server.ts";
import { trapField } from "../../../app/features/contact/trap.ts";
import type { Question } from "../../../app/features/deployments/bundle/options/question.ts";
import { formValuesOf } from "../../../app/features/deployments/wizard/form-values.ts";
import { questionsByStep } from "../../../app/features/deployments/wizard/questions.ts";
import { stepIds } from "../../../app/features/deployments/wizard/steps.ts";
import { pageParameters } from "../../../workers/page-cache/page-key.ts";
import { defaultOptions } from "../deployments/bundle-cases.ts";
import { goodResult } from "../deployments/test-results.ts";

/** What one route reads of a request. `test/unit/security/route-inputs.test.ts` holds this complete. */
export type RouteInputs = {
  /** Parameters of the query that the server or the page reads. */
  query?: readonly string[];
  /** Fields of the forms that are posted here; present wherever something is posted. */
  fields?: readonly string[];
  /** Values that lead further than chance would: intents, choices, a good form's own. */
  words?: readonly string[];
  /** A field and its good value, without which a form is a 404: half of the forms begin with it. */
  leading?: readonly [field: string, value: string];
  /** What stands in the address of the form itself: React Router puts `index` there for an index route. */
  formQuery?: string;
  /** For a JSON API: a body that is taken. */
  json?: object;
};

/** An id that nothing has. */
const noId = "00000000-0000-4000-8000-000000000000";

/** Stands for the id of what the route shows, a deployment, a server or an incident, that is the person's own. */
export const goodId = "@id@";

/** Stands for the id of a deployment that the person deleted before. */
export const goodDeletedId = "@deleted@";

/** Stands for what the link of a mail about the owner's incident bears. */
export const goodLink = "@link@";

/** Stands for the id of the owner's subscription. */
export const goodSubscription = "@subscription@";

type Options = { def: { options: readonly { def: { shape: object } }[] } };

/** The fields of every request that a form's schema knows. */
const fieldsOf = ({ def }: Options) => [
  ...new Set(def.options.flatMap((option) => Object.keys(option.def.shape))),
];

const signInIntents = signInRequest.def.options.flatMap(({ def }) => def.shape.intent.def.values);
const accountIntents = accountRequests.def.options.flatMap(
  ({ def }) => def.shape.intent.def.values,
);

/** Every field that the wizard asks, at any step, whatever was chosen before. */
function fieldsAsked(questions: readonly Question[]): string[] {
  return questions.flatMap((question) => [
    ...("field" in question ? [question.field] : []),
    ...("questions" in question ? fieldsAsked(question.questions) : []),
  ]);
}

const wizard = {
  fields: [...new Set(Object.values(questionsByStep).flatMap(fieldsAsked))],
  words: Object.values(formValuesOf("Production", defaultOptions)),
};
const example = parseEnv(readFileSync(".dev.vars.example", "utf8"));
const prices = Object.entries(example).flatMap(([name, value]) =>
  name.startsWith("STRIPE_PRICE_") && value ? [value] : [],
);
const tabs = googleTools.flatMap((tool) => tool.tabs);
const mailedLink = ["token_hash", "type", "next"];
const linkTypes = ["email", "signup", "magiclink", "recovery", "email_change"];
const configuration = ["model", "instructions", "voice", "inputAudioTranscription.model"];
const userConfiguration = {
  fields: [
    "intent",
    "version",
    "name",
    "token",
    "identity",
    "tokens",
    "scopes",
    "days",
    ...configuration,
  ],
  words: ["save", "restore", "create-token", "revoke-token", "set-allowance", "nova", "0", "1"],
};
/** What a page of a provider leads back with. */
const providersAnswer = ["code", "error", "error_code", "error_description"];
const nothing: RouteInputs = {};

const incidents = {
  query: ["state", "severity", "deployment", "server", "days", "page"],
  words: ["open", "past", "page", "notify", "7", "2", "uptime", noId, goodId],
};

/** By the route's module. A page that reads nothing is fuzzed with what nobody reads. */
export const routeInputs: Readonly<Record<string, RouteInputs>> = {
  "routes/marketing/home.tsx": nothing,
  "routes/marketing/pricing.tsx": {
    query: ["plan"],
    fields: ["plan", "attempt"],
    words: ["basic", "pro", "monthly", "yearly", noId],
  },
  "routes/marketing/own-plan.ts": nothing,
  "routes/marketing/support.tsx": nothing,
  "routes/marketing/try.tsx": { fields: [] },
  "routes/marketing/proof.tsx": nothing,
  "routes/contact/contact.tsx": {
    query: ["topic"],
    fields: ["name", "email", "topic", "message", trapField],
    words: [...contactTopics.map(({ value }) => value), "a message that is long enough to be sent"],
  },
  "routes/contact/sent.tsx": nothing,
  "routes/marketing/spotlight.tsx": { query: Object.keys(pageParameters["/spotlight"] ?? {}) },
  "routes/marketing/cloud-architecture.tsx": nothing,
  "routes/marketing/audit.tsx": nothing,
  "routes/marketing/faq.tsx": nothing,
  "routes/marketing/services.tsx": {
    query: ["service"],
    fields: Object.keys(deploymentFields),
    words: Object.values(deploymentFields).flatMap((field) =>
      "options" in field ? [...field.options] : [],
    ),
  },
  "routes/marketing/google-services.tsx": { query: ["tool", "tab", "problem"] },
  "routes/google-services/connection.ts": {
    fields: ["intent", "tool", "tab"],
    words: ["connect", ...googleTools.map(({ id }) => id), ...tabs.map(({ id }) => id)],
  },
  "routes/google-services/connected.ts": { query: providersAnswer },
  "routes/google-services/call.ts": {
    fields: [
      ...new Set(tabs.flatMap(({ fields }) => fields.map(({ name }) => name))),
      ...[
        "step",
        "threadId",
        "messageId",
        "id",
        "row",
        "from",
        "since",
        "task",
        "pageToken",
        "timeZone",
      ],
    ],
    words: ["reply", "find", "Europe/Berlin", "2026-12-01T10:00", "2026-12-01", "10", "true"],
  },
  "routes/marketing/model-configuration.tsx": nothing,
  "routes/model-configuration/own.ts": { ...userConfiguration, query: ["before"] },
  "routes/model-configuration/usage.ts": {
    query: ["from", "to", "identity", "format"],
    words: ["csv", "2026-10-01", "2026-10-31"],
  },
  "routes/reading/docs-overview.tsx": nothing,
  "routes/reading/markdown-page.tsx": nothing,
  "routes/blog/index.tsx": nothing,
  "routes/blog/rss.ts": nothing,
  "routes/blog/article.tsx": nothing,
  "routes/auth/signup.tsx": {
    query: ["dialog", "plan", "problem", ...providersAnswer],
    fields: ["option"],
    words: ["sign-in", "monthly", "yearly", "cancelled"],
  },
  "routes/auth/signin.tsx": {
    query: ["next", "done", "problem", ...providersAnswer],
    fields: [...fieldsOf(signInRequest), "next"],
    words: [...signInIntents, "verify_code", "google", "/dashboard", "+4915112345678", "123456"],
  },
  "routes/auth/sso.tsx": {
    query: ["next"],
    fields: ["email", "next"],
    words: ["/dashboard", "ada@example.com"],
  },
  "routes/auth/signout.ts": {
    fields: ["scope", "next", "trial"],
    words: ["local", "others", "global", "end", "/dashboard"],
  },
  "routes/auth/end-trial.tsx": { query: ["next"], words: ["/dashboard"] },
  "routes/auth/refresh.ts": { fields: [] },
  "routes/auth/callback.ts": { query: [...providersAnswer, "next"] },
  "routes/auth/connected.ts": { query: providersAnswer },
  "routes/auth/confirm.tsx": {
    query: mailedLink,
    fields: [...mailedLink, "account", "instead_of"],
    words: [...linkTypes, "a".repeat(56), "/dashboard", noId],
  },
  "routes/checkout/success.tsx": { query: ["session_id", "workspace"], words: ["cs_test_1"] },
  "routes/dashboard/layout.tsx": nothing,
  "routes/dashboard/overview.tsx": {
    query: ["notice", "made", "left-out", "open", "q", "show", "sort", "by", "index", "_routes"],
    fields: ["intent", "domain", "provider", "region", "size", "draft", "leave", "of", "act"],
    words: [
      "create",
      "many",
      "all",
      "chosen",
      "acknowledge",
      "snooze-1",
      "rtc.example.com",
      "aws",
      "us-east",
      "small",
      '{"provider":"AWS"}',
    ],
    formQuery: "index",
  },
  "routes/dashboard/billing.tsx": {
    query: ["customer", "after", "notice"],
    fields: [
      ...["customer", "flow", "from", "intent", "shown", "email", "company", "purchaseOrder"],
      ...["country", "line1", "city", "taxIdType", "taxId", "remove-txi_1"],
    ],
    words: [
      ...["cus_1", "in_1", "card", "details", "billing", "DE", "eu_vat", "DE123456789"],
      '{"email":"x"}',
    ],
  },
  "routes/dashboard/plan.tsx": {
    query: ["to", "back", "subscription", "done"],
    fields: [
      "intent",
      "subscription",
      "state",
      "to",
      "amount",
      "proration",
      "reason",
      "plan",
      "until",
      "stays",
    ],
    words: [
      ...[
        "change",
        "cancel",
        "resume",
        "keep",
        "give-up",
        "pause",
        "unpause",
        "buy",
        "order",
        "changed",
        "cancelled",
      ],
      ...[
        "pro",
        "yearly",
        "basicYearly",
        "sub_1",
        "99999",
        "1795374000",
        "too_expensive",
        "/dashboard",
      ],
    ],
    leading: ["subscription", goodSubscription],
  },
  "routes/workspaces/members.tsx": {
    query: ["after", "done"],
    fields: ["intent", "person", "invitation", "address", "role", "name"],
    words: [
      ...["invite", "resend", "withdraw", "role", "remove", "leave"],
      ...["owner", "admin", "viewer", noId, "someone@example.com", "invited"],
    ],
  },
  "routes/workspaces/settings.tsx": {
    query: ["done"],
    fields: ["intent", "name", "wanted", "address", "sure", "confirmation", "act", "value"],
    words: [
      "sso",
      "add",
      "verify",
      "okapi.example",
      "rename",
      "factor",
      "hand-over",
      "delete",
      "yes",
      "no",
      "Personal",
      "named",
    ],
  },
  "routes/workspaces/tokens.tsx": {
    fields: [
      ...["intent", "name", "days", "token", "deployments:read", "deployments:write"],
      ...["servers:read", "servers:write", "sessions:read", "alerts:read", "alerts:write"],
      ...["webhooks:read", "webhooks:write"],
    ],
    words: ["make-token", "revoke-token", "90", "365", "yes", "CI"],
  },
  "routes/workspaces/webhooks.tsx": {
    fields: [
      ...["intent", "url", "webhook", "event", "people", "workspace", "deployments", "servers"],
      ...["alerts", "agents", "billing"],
    ],
    words: [
      ...["add-webhook", "change-webhook", "test-webhook", "rotate-webhook", "disable-webhook"],
      ...["enable-webhook", "remove-webhook", "repeat-event", "yes", "audit_1"],
      "https://hooks.example.com/events",
    ],
  },
  "routes/workspaces/approvers.tsx": {
    fields: [
      ...["intent", "name", "challenge", "client-data", "authenticator-data"],
      ...["passkey", "needed"],
    ],
    words: ["add-passkey", "remove-passkey", "approvals-needed", "1", "2"],
  },
  "routes/workspaces/second-factor.tsx": { query: ["next"], fields: [], words: ["/dashboard"] },
  "routes/workspaces/audit.tsx": { query: ["before"], words: ["1"] },
  "routes/workspaces/audit-csv.ts": { query: ["before"], words: ["1"] },
  "routes/workspaces/new.tsx": { fields: ["name"] },
  "routes/servers/acknowledge.tsx": {
    query: ["link", "done"],
    fields: ["act", "note"],
    words: ["acknowledge", "snooze-hour", "snooze-morning"],
    formQuery: `link=${goodLink}`,
  },
  "routes/workspaces/invitation.tsx": { query: ["token"], fields: [] },
  "routes/dashboard/support.tsx": {
    query: ["deployment", "sent"],
    fields: ["topic", "deployment", "message"],
    words: ["support", goodId, noId, "a message that is long enough to be sent"],
  },
  "routes/dashboard/account.tsx": {
    query: ["done", "notice", "problem", "next"],
    fields: fieldsOf(accountRequests),
    words: [...accountIntents, "google", "ABCDEFGHIJKLMNOP", noId],
  },
  "routes/dashboard/models.tsx": { ...userConfiguration, query: ["before"] },
  "routes/dashboard/usage.tsx": { ...userConfiguration, query: ["from", "to", "identity"] },
  "routes/dashboard/missing.tsx": nothing,
  "routes/dashboard/account-code.tsx": {
    query: ["next"],
    fields: ["next", "code", "recovery", "text", "factorId", "challengeId"],
    words: ["/dashboard", "123456", "0AB1-CDEF-GHJK-MNPQ-RSTV-WXYZ"],
  },
  "routes/deployments/list.tsx": {
    query: ["after", "notice"],
    fields: ["restore"],
    words: [goodDeletedId],
    leading: ["restore", goodDeletedId],
  },
  "routes/deployments/new.tsx": {
    query: ["discarded", "from"],
    fields: ["draft", "leave", "discard", ...wizard.fields],
    words: [
      ...wizard.words,
      "plan",
      "undo",
      "rtc.example.com",
      "you@example.com",
      '{"provider":"AWS"}',
    ],
  },
  "routes/deployments/move-in.tsx": {
    fields: ["domain", "email", "options"],
    words: ["rtc.example.com", "you@example.com", '{"rooms":{"maxParticipants":5}}', "[]"],
  },
  "routes/deployments/edit.tsx": {
    query: ["step", "back", "saved", "same", "made", "left-out", "open", "discarded", "restored"],
    fields: ["step", "version", "then", "back", "leave", "discard", ...wizard.fields],
    words: [...stepIds, ...wizard.words, "1", "stay", "plan", "out", "undo"],
  },
  "routes/deployments/unsaved.ts": {
    fields: ["step", "version", "keep", ...wizard.fields],
    words: [...stepIds, ...wizard.words, "1", "no"],
  },
  "routes/deployments/duplicate.tsx": {
    fields: ["name", "domain"],
    words: ["Copy of Production", "copy.mycompany.com"],
  },
  "routes/deployments/delete.tsx": { fields: ["name"], words: ["Production"] },
  "routes/deployments/deployment.tsx": {
    query: ["file"],
    fields: ["intent", "step", "done", "seen", "page", "version", "ipv4", "ipv6", "machines"],
    words: [
      ...[
        "progress",
        "address",
        "look",
        "secrets-on-server",
        "connect",
        "revoke-tokens",
        "dns",
        "yes",
        "overview",
      ],
      ...["198.41.0.4", "10.0.0.5", "livekit.yaml"],
    ],
  },
  "routes/servers/connect.tsx": {
    fields: ["intent", "name"],
    words: ["connect", "revoke", "sfu-1", "two words"],
  },
  "routes/deployments/names.ts": { query: ["workspace", "with"], words: ["nobodys-team"] },
  "routes/deployments/versions.tsx": {
    query: ["up-to", "from", "to"],
    fields: ["restore", "applied", "back", "noted", "note"],
    words: ["1", "none", "deployment", "a note"],
  },
  "routes/deployments/connect.tsx": { query: ["for"], words: ["ruby", "swift"] },
  "routes/deployments/call.tsx": { query: ["listen"] },
  "routes/deployments/connection-test.tsx": {
    fields: ["intent", "label", "link", "result", "origins", "channel", "embed"],
    words: [
      ...["result", "link", "end-link", "An office", JSON.stringify(goodResult)],
      ...["embed", "end-embed", "https://help.example.com"],
    ],
  },
  "routes/deployments/embedded-test.tsx": {
    fields: ["result", "reference"],
    words: [JSON.stringify(goodResult), "ticket-4711"],
  },
  "routes/deployments/recording.tsx": {},
  "routes/deployments/rooms.tsx": {
    fields: ["intent", "room", "participant", "participants", "source"],
    words: ["end", "remove", "mute", "RM_k3KR8L8i5SJd", "PA_RzM4p5wQ44Va", "3", "microphone"],
  },
  "routes/deployments/linked-test.tsx": {
    fields: ["result"],
    words: [JSON.stringify(goodResult)],
  },
  "routes/deployments/file.ts": { query: ["version", "download"], words: ["1"] },
  "routes/deployments/bundle-zip.ts": {
    query: ["version", "for"],
    fields: ["version", "connect", "for"],
    words: ["1", "yes", "apply"],
  },
  "routes/servers/alerts.tsx": {
    query: ["done"],
    fields: [
      ...["intent", "person", "key", "url", "turn", "channel", "secret"],
      ...["kind", "token", "chat", "region", "name", "p256dh", "auth"],
      ...["what", "deployment", "person-0", "weekday", "hour", "from", "until", "zone"],
    ],
    words: [
      ...["add-mail", "add-pagerduty", "add-webhook", "turn", "test", "remove", "second"],
      ...[
        "pager-secret",
        ...["rota", "rota-end", "absence", "absence-end", "zone", "quiet", "2027-03-01"],
        "add-service",
        "slack",
        "teams",
        "discord",
        "telegram",
        "ntfy",
        "opsgenie",
        "push",
        "eu",
      ],
      ...["added", "https://hooks.example.com/x", "e93facc04764012d7bfb002500d5d1a6", noId],
    ],
  },
  "routes/servers/incidents.tsx": incidents,
  "routes/servers/incident.tsx": nothing,
  "routes/servers/evidence.tsx": {
    query: ["who", "at"],
    words: ["aaaaaa", "alice", "2026-11-22T14:00", "2026-13-99T14:00"],
  },
  "routes/servers/evidence-csv.ts": nothing,
  "routes/servers/sessions.tsx": {
    query: ["day", "name", "before"],
    words: ["2026-11-22", "0a1b2c", "alice", "1795313698000.1"],
  },
  "routes/servers/session.tsx": nothing,
  "routes/servers/participant.tsx": nothing,
  "routes/servers/sessions-csv.ts": nothing,
  "routes/servers/incidents-csv.ts": { ...incidents, query: [...incidents.query, "of"] },
  "routes/servers/server.tsx": {
    query: ["range", "notice"],
    fields: [
      ...["intent", "until", "incident", "asked", "note", "labels", "threshold"],
      ...["measure", "severity", "of", "value", "version", "others", "lower", "rollout"],
      ...["credential", "authenticator-data", "client-data", "signature"],
      ...["window-from", "window-until"],
    ],
    words: [
      ...["request-rollout", "approve-rollout", "abort-rollout", "yes"],
      ...["allow", "refuse", "disconnect", "keep", "acknowledge", "unacknowledge", "snooze"],
      ...["maintenance", "label", "set-threshold", "remove-threshold"],
      ...["participants", "memory", "notify", "all"],
      ...["1", "4", "8", "24", "morning", "end", "7d"],
    ],
  },
  "routes/dashboard/account-deleted.tsx": nothing,
  "routes/api/create-checkout-session.ts": {
    fields: ["priceId", "userId"],
    words: prices,
    json: { priceId: prices[0], userId: noId },
  },
  "routes/api/stripe-webhook.ts": {
    fields: [],
    json: { id: "evt_1", type: "invoice.paid", data: { object: { customer: "cus_1" } } },
  },
  "routes/api/model-config.ts": { fields: [] },
  "routes/api/token-usage.ts": {
    fields: [],
    json: {
      event_id: "response-1",
      identity: "ada",
      timestamp: "2026-11-20T10:00:00Z",
      usage: {
        total_tokens: 3,
        input_tokens: 2,
        output_tokens: 1,
        input_token_details: {
          text_tokens: 2,
          audio_tokens: 0,
          cached_tokens: 1,
          cached_tokens_details: { text_tokens: 1, audio_tokens: 0 },
        },
        output_token_details: { text_tokens: 1, audio_tokens: 0 },
      },
    },
  },
  "routes/api/workspace-api.ts": {
    query: ["cursor", "state", "severity", "days", "day", "name", "from", "range"],
    fields: [],
    words: ["open", "page", "90", "48h", "2026-11-29", "MQ"],
    json: { name: "CI", options: { domain: "a.example.com", email: "a@example.com" } },
  },
  "routes/api/csp-reports.ts": {
    fields: [],
    json: { "csp-report": { "document-uri": "https://site.example/", "blocked-uri": "inline" } },
  },
  "routes/site-files/llms.ts": nothing,
  "routes/site-files/robots.ts": nothing,
  "routes/site-files/sitemap.ts": nothing,
  "routes/site-files/security.ts": nothing,
  "routes/api/healthz.ts": nothing,
};

/** Headers that the site reads, besides `cookie`, `origin` and `content-type`. */
export const siteHeaders = [
  "cf-connecting-ip",
  "cf-ray",
  "content-encoding",
  "content-length",
  "stripe-signature",
  "x-pagerduty-signature",
  "accept",
  "authorization",
  "if-match",
  "if-none-match",
  "idempotency-key",
  "user-agent",
];
