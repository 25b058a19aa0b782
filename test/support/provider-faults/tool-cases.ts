import { defaultConfiguration } from "../../../app/content/model-configuration.ts";
import { signInUnavailable } from "../../../app/features/auth/session/sign-in-problems.ts";
import { resultNotSaved } from "../../../app/features/deployments/connection-test/results.server.ts";
import { formValuesOf } from "../../../app/features/deployments/wizard/form-values.ts";
import { unsure } from "../../../app/features/google/tools/operation.ts";
import { roleUnreadable } from "../../../app/features/workspaces/roles.ts";
import { reportOf } from "../agents/agent.ts";
import { fullOptions } from "../deployments/deployments.ts";
import { goodResult } from "../deployments/test-results.ts";
import {
  type Answered,
  type Fields,
  none,
  post,
  type RouteCase,
  type Users,
} from "./route-case.ts";

const noSignIn: Answered = [503, signInUnavailable];
const noGoogle: Answered = [503, "Google is not answering at the moment."];
const mayBeThere: Answered = [503, unsure];
const mayHaveLeft: Answered = [503, "so the message may have left or not."];
const exhausted = {
  google: { "too many": [429, "Google's limit for your account is reached."] },
} as const;
const noRole: Answered = [503, roleUnreadable];
const noDeployments: Answered = [503, "Your deployments cannot be read right now."];
const noDeployment: Answered = [503, "Your deployment cannot be read right now. It is safe"];

/** One tab of a Google tool. */
const call = (
  address: string,
  fields: Fields = {},
  usual = 200,
  google: Answered = noGoogle,
): RouteCase =>
  post("google-services/call.ts", `/google-services/call/${address}`, fields, {
    what: address,
    usual,
    fails: { auth: noSignIn, google },
    unless: exhausted,
  });

const letter = { to: "jo@example.com", subject: "Hello", body: "Hello" };
const zone = { timeZone: "Europe/Berlin" };

const google: readonly RouteCase[] = [
  call("gmail/send", letter, 200, mayHaveLeft),
  call("gmail/list"),
  call("gmail/respond"),
  call(
    "gmail/merge",
    ({ owner }) => ({ ...letter, id: none, row: "1", from: owner.atGoogle }),
    200,
    mayHaveLeft,
  ),
  call(
    "calendar/create",
    {
      ...zone,
      summary: "Launch",
      startDateTime: "2027-03-29T10:00",
      endDateTime: "2027-03-29T11:00",
    },
    200,
    mayBeThere,
  ),
  call("calendar/availability", zone),
  call("tasks/create", { title: "Set the DNS records" }, 200, mayBeThere),
  call("tasks/complete", { title: "Unknown" }, 404),
  call("tasks/list", { showCompleted: "false" }),
  call("docs/create", { title: "Notes", body: "One line" }, 200, mayBeThere),
  call("docs/list"),
  call("docs/search", { query: "servers" }),
  // Google's 404 is one, however little of it arrives.
  {
    ...call("docs/update", { documentId: "1".repeat(44), content: "More" }, 404),
    unless: { google: { ...exhausted.google, truncated: "as usual" } },
  },
  post(
    "google-services/connection.ts",
    "/google-services/connection",
    {
      intent: "connect",
      tool: "gmail",
      tab: "send",
    },
    { usual: 409, fails: { auth: noSignIn } },
  ),
];

/** The last that is done with a connection: Google then ends it. */
export const disconnect = post(
  "google-services/connection.ts",
  "/google-services/connection",
  {
    intent: "disconnect",
  },
  {
    usual: 200,
    fails: { auth: noSignIn, google: [502, "Google did not answer"] },
    // Google's 200 is enough: nothing of its answer is read.
    unless: {
      google: { garbage: "as usual", truncated: "as usual", "cut short": "as usual" },
    },
  },
);

const { model, instructions, voice, inputAudioTranscription } = defaultConfiguration;
const choices = {
  intent: "save",
  version: "0",
  model,
  instructions: `${instructions} Be brief.`,
  voice,
  "inputAudioTranscription.model": inputAudioTranscription.model,
};

const userConfiguration = (fields: Record<string, string>, usual = 200) =>
  post("model-configuration/own.ts", "/openai-config/own", fields, {
    usual,
    fails: { auth: noSignIn, database: noRole },
  });

const configuration: readonly RouteCase[] = [
  userConfiguration(choices),
  userConfiguration({ intent: "restore", version: "1" }),
  userConfiguration({ intent: "create-token", name: "Second agent" }),
  userConfiguration({ intent: "revoke-token", token: none }, 404),
  userConfiguration({ intent: "set-allowance", identity: "ada", tokens: "5" }),
  post(
    "dashboard/models.tsx",
    "/dashboard/models",
    { ...choices, version: "2", voice: "nova" },
    {
      usual: 200,
      fails: { auth: noSignIn, database: noRole },
    },
  ),
  post(
    "dashboard/usage.tsx",
    "/dashboard/usage",
    { intent: "set-allowance", identity: "bob", tokens: "5" },
    { usual: 200, fails: { auth: noSignIn, database: noRole } },
  ),
  post("api/model-config.ts", "/api/model-config", {}, { as: "guest", usual: 405 }),
  post(
    "api/token-usage.ts",
    "/api/token-usage",
    {},
    {
      as: "guest",
      usual: 200,
      fails: { database: [503, "This could not be served right now."] },
      init: ({ owner }) => ({
        headers: {
          authorization: `Bearer ${owner.agentToken}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(reportOf("event-1")),
      }),
    },
  ),
  post(
    "api/workspace-api.ts",
    "/api/v1/deployments",
    {},
    {
      as: "guest",
      usual: 201,
      fails: { database: [503, "This could not be served right now."] },
      init: ({ owner }) => ({
        headers: {
          authorization: `Bearer ${owner.apiToken}`,
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify({ name: "From CI", options: fullOptions() }),
      }),
    },
  ),
];

const inConsole = { auth: noSignIn, database: noDeployments } as const;
const at =
  (rest: string) =>
  ({ owner }: Users) =>
    `/dashboard/deployments/${owner.deployment}${rest}`;

const result = JSON.stringify(goodResult);
const notKept: Answered = [503, resultNotSaved];

const connectionTest = (fields: Fields, usual = 200) =>
  post("deployments/connection-test.tsx", at("/connection-test"), fields, {
    usual,
    fails: inConsole,
  });

/** The forms of connection tests: of the page in the console, of a link, and of a page of the customer's. */
const tests: readonly RouteCase[] = [
  connectionTest({ intent: "result", result }),
  connectionTest({ intent: "link", label: "The customer's office" }),
  connectionTest({ intent: "end-link", link: none }, 404),
  connectionTest({
    ...{ intent: "embed", label: "The help page", origins: "https://help.example.com" },
    channel: "",
  }),
  connectionTest({ intent: "end-embed", embed: none }, 404),
  post(
    "deployments/linked-test.tsx",
    ({ owner }) => `/connection-test/${owner.testLink}.data`,
    { result },
    { as: "guest", usual: 200, fails: { database: notKept } },
  ),
  post(
    "deployments/embedded-test.tsx",
    ({ owner }) => `/connection-test/embed/${owner.testEmbed}.data`,
    { result },
    { as: "guest", usual: 200, fails: { database: notKept } },
  ),
];

const deployments: readonly RouteCase[] = [
  post(
    "deployments/edit.tsx",
    at("/edit?step=deployment"),
    {
      ...formValuesOf("Renamed", { ...fullOptions(), domain: "new.example.com" }),
      step: "deployment",
      version: "2",
    },
    { fails: { ...inConsole, database: noDeployment } },
  ),
  post(
    "marketing/services.tsx",
    "/services.data",
    { provider: "AWS" },
    {
      usual: 200,
      fails: { auth: noDeployments, database: noDeployments },
    },
  ),
  post(
    "deployments/list.tsx",
    "/dashboard/deployments",
    ({ owner }) => ({
      restore: owner.deleted,
    }),
    { fails: inConsole },
  ),
  post(
    "deployments/duplicate.tsx",
    at("/duplicate"),
    { name: "Copy", domain: "copy.mycompany.com" },
    { fails: inConsole },
  ),
  post(
    "deployments/new.tsx",
    "/dashboard/deployments/new",
    {
      name: "Production",
      domain: "rtc.mycompany.com",
      email: "ops@mycompany.com",
    },
    { fails: { auth: noSignIn, database: noRole } },
  ),
  post(
    "deployments/move-in.tsx",
    "/dashboard/deployments/move-in",
    { options: "{}", domain: "rtc.mycompany.com", email: "ops@mycompany.com" },
    { fails: { auth: noSignIn, database: noRole } },
  ),
  post(
    "deployments/deployment.tsx",
    at(""),
    { intent: "progress", step: "dns", done: "yes" },
    {
      fails: inConsole,
    },
  ),
  post(
    "deployments/unsaved.ts",
    at("/unsaved"),
    { step: "management", version: "2", updates: "weekly" },
    { usual: 200, fails: { auth: noSignIn, database: noRole } },
  ),
  ...tests,
  post(
    "deployments/rooms.tsx",
    at("/rooms"),
    { intent: "end", room: "RM_hu2fB9Jx8kZp", participants: "3" },
    { usual: 200, fails: inConsole },
  ),
  post("deployments/versions.tsx", at("/versions"), { restore: "1" }, { fails: inConsole }),
  post("deployments/deployment.tsx", at(""), { intent: "secrets-on-server" }, { fails: inConsole }),
];

/** After it there is no deployment. */
export const deletion = post(
  "deployments/delete.tsx",
  at("/delete"),
  { name: "Renamed" },
  { fails: { ...inConsole, database: noDeployment } },
);

export const toolCases: readonly RouteCase[] = [...google, ...configuration, ...deployments];
