import { storeTestEmbed, storeTestLink } from "../../deployments/test-links.ts";
import { goodResult } from "../../deployments/test-results.ts";
import { controlFleet } from "../../servers/control-fleet.ts";
import { alertForms } from "./alert-forms.ts";
import type { FormLine } from "./form-line.ts";
import { memberForms } from "./member-forms.ts";
import { planForms } from "./plan-forms.ts";
import { mayDo } from "./role-table.ts";
import { clusterForms, serverForms } from "./server-forms.ts";
import { webhookForms } from "./webhook-forms.ts";

const leadsTo = (rest: string) => new RegExp(`^leads to (/dashboard(/w/\\w+)?)?${rest}`);

/** A form about a deployment. */
const describes = (
  fields: FormLine["fields"],
  done: RegExp,
  changes: NonNullable<FormLine["changes"]>,
  more: Partial<FormLine> = {},
): FormLine => ({ needs: "describe", fields, done, changes, ...more });

/** A form about servers. What they are like is in no table. */
const connects = (fields: FormLine["fields"], done: RegExp): FormLine => ({
  needs: "servers",
  fields,
  done,
});

/** One after which there may soon be a server, of which the workspace's fleet is noted to be asked. */
const opensFleet = (...line: Parameters<typeof connects>): FormLine => ({
  ...connects(...line),
  changes: ["fleets"],
});

/** An act in a room of the server, which the audit log alone hears of. */
const notes = (fields: Record<string, string>): FormLine => ({
  needs: "servers",
  fields: { room: "RM_k3KR8L8i5SJd", ...fields },
  done: /^200.*isNoted/,
});

const machine = { domain: "second.example.com", email: "ops@example.com" };
const made = ["deployment_versions", "deployments"];

const deployments: Readonly<Record<string, FormLine | readonly FormLine[]>> = {
  "/dashboard create": describes(
    { ...machine, intent: "create", provider: "aws", region: "us-east", size: "small" },
    leadsTo("\\?"),
    made,
    { isAnybodys: true },
  ),
  "/dashboard/deployments": describes(
    ({ ids }) => ({ restore: ids.deleted }),
    leadsTo("/deployments/"),
    ["deployments"],
  ),
  "/dashboard/deployments/new": describes(machine, leadsTo("/deployments/[^?]+/edit"), made, {
    isAnybodys: true,
  }),
  "/dashboard/deployments/move-in": describes(
    { ...machine, options: "{}" },
    leadsTo("/deployments/[^?]+/edit"),
    made,
    { isAnybodys: true },
  ),
  "/dashboard/deployments/:id/edit": describes(
    ({ formFields, ids }) =>
      formFields(`/deployments/${ids.deployment}/edit?step=domain`, {
        domain: "third.example.com",
      }),
    leadsTo("/deployments/[^?]+/edit\\?"),
    // Messages of its servers name the deployment.
    [...made, "fleets"],
    { query: "?step=domain" },
  ),
  "/dashboard/deployments/:id/duplicate": describes(
    { name: "Second", domain: "second.example.com" },
    leadsTo("/deployments/"),
    made,
  ),
  "/dashboard/deployments/:id/delete": describes(
    { name: "Okapi server" },
    leadsTo("/deployments\\?notice=deleted"),
    ["deployments"],
  ),
  "/dashboard/deployments/:id/unsaved": describes(
    { step: "domain", version: "2", domain: "typed.example.com" },
    /^200/,
    ["unsaved_changes"],
  ),
  "/dashboard/deployments/:id progress": describes(
    { intent: "progress", step: "files", done: "yes", version: "2" },
    leadsTo("/deployments/"),
    ["deployments"],
  ),
  "/dashboard/deployments/:id address": describes(
    { intent: "address", ipv4: "198.41.0.4", version: "2" },
    leadsTo("/deployments/"),
    ["deployments"],
  ),
  "/dashboard/deployments/:id look": {
    needs: "see",
    fields: async ({ founder, base, ids }) => {
      const address = { intent: "address", ipv4: "198.41.0.4", version: "2" };
      await founder.browser.post(`${base}/deployments/${ids.deployment}`, address);
      return { intent: "look", version: "2" };
    },
    done: /^200.*look/,
  },
  "/dashboard/deployments/:id preflight": opensFleet(async ({ founder, base, ids, url }) => {
    // There may be so many checks of a deployment in an hour.
    await controlFleet(url, ids.team, "clock", { ms: 3_600_000 });
    const address = { intent: "address", ipv4: "198.41.0.4", version: "2" };
    await founder.browser.post(`${base}/deployments/${ids.deployment}`, address);
    return { intent: "preflight" };
  }, /^200.*"preflight"/),
  "/dashboard/deployments/:id secrets-on-server": describes(
    { intent: "secrets-on-server" },
    leadsTo("/deployments/"),
    [],
  ),
  "/dashboard/deployments/:id connect": opensFleet(
    { intent: "connect", machines: "2" },
    /^200.*lkd_e_/,
  ),
  "/dashboard/deployments/:id revoke-tokens": connects(
    { intent: "revoke-tokens" },
    /^200.*areTokensRevoked/,
  ),
  // Of the workspace in the address, and so of whoever's it is.
  "/dashboard/servers/connect connect": {
    ...opensFleet({ intent: "connect", name: "okapi-as-it-is" }, /^200.*lkd_e_/),
    isAnybodys: true,
  },
  "/dashboard/servers/connect revoke": {
    ...connects({ intent: "revoke" }, /^200.*areTokensRevoked/),
    isAnybodys: true,
  },
  "/dashboard/deployments/:id/connection-test result": {
    needs: "see",
    fields: {
      intent: "result",
      result: JSON.stringify(goodResult),
    },
    done: /^200/,
    changes: ["connection_tests"],
  },
  "/dashboard/deployments/:id/connection-test link": {
    needs: "servers",
    fields: { intent: "link", label: "The customer's office" },
    done: /^200/,
    changes: ["connection_test_links"],
  },
  "/dashboard/deployments/:id/connection-test end-link": {
    needs: "servers",
    fields: async ({ ids }) => ({
      intent: "end-link",
      link: await storeTestLink(ids.deployment),
    }),
    done: /^200.*"intent","end-link"/,
    changes: ["connection_test_links"],
  },
  "/dashboard/deployments/:id/connection-test embed": {
    needs: "servers",
    fields: {
      ...{ intent: "embed", label: "The help page", origins: "https://help.example.com" },
      channel: "",
    },
    done: /^200.*"intent","embed"/,
    changes: ["connection_test_embeds"],
  },
  "/dashboard/deployments/:id/connection-test end-embed": {
    needs: "servers",
    fields: async ({ ids }) => ({
      intent: "end-embed",
      embed: await storeTestEmbed(ids.deployment),
    }),
    done: /^200.*"intent","end-embed"/,
    changes: ["connection_test_embeds"],
  },
  "/dashboard/deployments/:id/rooms end": notes({ intent: "end", participants: "3" }),
  "/dashboard/deployments/:id/rooms remove": notes({
    intent: "remove",
    participant: "PA_RzM4p5wQ44Va",
  }),
  "/dashboard/deployments/:id/rooms mute": notes({
    ...{ intent: "mute", participant: "PA_RzM4p5wQ44Va", source: "microphone" },
  }),
  "/dashboard/deployments/:id/bundle.zip": opensFleet({ version: "2", connect: "yes" }, /^200: PK/),
  "/dashboard/deployments/:id/versions": [
    describes({ restore: "1" }, leadsTo("/deployments/[^?]+/versions"), [...made, "fleets"], {
      what: "restore",
    }),
    describes(
      { noted: "1", note: "A note" },
      leadsTo("/deployments/[^?]+/versions"),
      ["deployment_versions"],
      { what: "note" },
    ),
    describes({ applied: "1" }, leadsTo("/deployments/[^?]+/versions"), ["deployments"], {
      what: "say which runs",
    }),
  ],
};

const configuration = {
  model: "third",
  instructions: "Instructions",
  voice: "nova",
  "inputAudioTranscription.model": "whisper-2",
};
const saved = /^200.*Configuration updated/;

/** The forms of agents, which are at three addresses. */
const agents = (pattern: string): Record<string, FormLine> => ({
  [`${pattern} save`]: describes(
    { ...configuration, intent: "save", version: "2" },
    saved,
    ["model_configuration_versions"],
    { isAnybodys: true },
  ),
  [`${pattern} restore`]: describes(
    { intent: "restore", version: "1" },
    /^200.*in force again/,
    ["model_configuration_versions"],
    { isAnybodys: true },
  ),
  [`${pattern} create-token`]: {
    needs: "tokens",
    fields: { intent: "create-token", name: "Agent" },
    done: /^200.*Copy the token now/,
    changes: ["api_tokens"],
    isAnybodys: true,
  },
  // The founder's: one's own is another's test.
  [`${pattern} revoke-token`]: {
    needs: "members",
    fields: ({ ids }) => ({ intent: "revoke-token", token: ids.token }),
    done: /^200.*revoked/,
    changes: ["api_tokens"],
    refused: /^(403: .*Your role in this workspace|404: .*There is no such token)/,
  },
  [`${pattern} set-allowance`]: describes(
    { intent: "set-allowance", identity: "dora", tokens: "5" },
    /^200.*5 tokens left/,
    ["token_allowances"],
    { isAnybodys: true },
  ),
});

const others: Readonly<Record<string, FormLine | readonly FormLine[]>> = {
  "/services": describes(
    { monitoring: "Basic" },
    /^200.*saved/,
    // Messages of the team's servers name the deployment. Somebody else has a deployment without servers.
    (role) => (mayDo(role, "describe") ? [...made, "fleets"] : made),
    { isAnybodys: true },
  ),
  "/dashboard (unlisted)": {
    needs: "see",
    fields: {},
    done: /^200/,
    changes: (role) => (mayDo(role, "billing") ? ["customers"] : []),
    isAnybodys: true,
  },
  "/dashboard/support": {
    needs: "see",
    fields: ({ ids }) => ({
      topic: "support",
      deployment: ids.deployment,
      message: "A message that is long enough.",
    }),
    done: leadsTo("/support\\?sent="),
    changes: ["contact_messages"],
  },
};

const workspaceTokens: Readonly<Record<string, FormLine>> = {
  "/dashboard/tokens make-token": {
    needs: "settings",
    fields: { intent: "make-token", name: "CI", "servers:read": "yes", days: "90" },
    done: /^200.*"token","lkd_/,
    changes: ["workspace_tokens"],
    isAnybodys: true,
  },
  "/dashboard/tokens revoke-token": {
    needs: "settings",
    fields: ({ ids }) => ({ intent: "revoke-token", token: ids.workspaceToken }),
    done: /^200.*"revoked"/,
    changes: ["workspace_tokens"],
  },
};

const nothing = "00000000-0000-4000-8000-000000000000";
/** Only a browser makes a passkey: what another program sends is told that it is none. */
const approvers: Readonly<Record<string, FormLine>> = {
  "/dashboard/approvers add-passkey": {
    needs: "rollout",
    fields: { intent: "add-passkey", name: "Key", challenge: "none" },
    done: /^400.*This passkey cannot be taken/,
    isAnybodys: true,
  },
  "/dashboard/approvers remove-passkey": {
    needs: "rollout",
    fields: { intent: "remove-passkey", passkey: nothing },
    done: /^404.*There is no such passkey/,
    isAnybodys: true,
  },
  "/dashboard/approvers approvals-needed": {
    needs: "settings",
    fields: { intent: "approvals-needed", needed: "2" },
    done: /^200.*"approvals-needed"/,
    changes: ["workspaces"],
    isAnybodys: true,
  },
};

/** A good form of every action that asks for a role, by the name of its rule. */
export const formLines: Readonly<Record<string, FormLine | readonly FormLine[]>> = {
  // Before the deployment is deleted, with which its servers end.
  ...serverForms,
  ...deployments,
  ...agents("/dashboard/models"),
  ...agents("/dashboard/usage"),
  ...agents("/openai-config/own"),
  ...workspaceTokens,
  ...webhookForms,
  ...approvers,
  ...others,
  ...memberForms,
  ...alertForms,
  ...planForms,
  ...clusterForms,
};

/** What is everybody's, a program's or a person's own: no role is asked for, and no workspace changes. */
export const otherForms: readonly string[] = [
  "/contact",
  "/try",
  "/auth/refresh",
  "/auth/confirm",
  "/api/stripe/webhook",
  "/api/model-config",
  "/api/token-usage",
  "/api/v1/*",
  "/csp-reports",
  "/google-services/connection",
  "/google-services/call/:tool/:tab",
  "/signin",
  "/signin/sso",
  "/signout",
  "/dashboard/account",
  "/dashboard/account/code",
  "/dashboard/workspaces/new",
  "/invitation",
  "/acknowledge",
  "/connection-test/:link",
  "/connection-test/embed/:embed",
];
