import { runSql } from "../../site/control-fakes.ts";
import type { FormLine } from "./form-line.ts";

const atMembers = (done: string) => new RegExp(`^leads to .*/members\\?done=${done}`);
const atSettings = (done: string) => new RegExp(`^leads to .*/settings\\?done=${done}`);

/** The database refuses a role that may change members and not owners. */
const refused = /^403: /;

/** The invitation by another id: a mail for it is sent once, whatever the database holds again since. */
async function renamed(invitation: string): Promise<string> {
  const [found] = await runSql<{ id: string }>(
    "update public.invitations set id = gen_random_uuid() where address like 'okapi%' returning id",
  );
  return found?.id ?? invitation;
}

/**
 * What changes where somebody leaves, is removed, or is an owner no longer: the workspace may have another billing contact
 * then, so its customer is read at Stripe and written again.
 */
const withBillingContact = ["customers", "members"];

/** The forms of the members and of the settings of a workspace. */
export const memberForms: Readonly<Record<string, FormLine | readonly FormLine[]>> = {
  "/dashboard/members invite": {
    needs: "members",
    fields: { intent: "invite", address: "new@example.com", role: "viewer" },
    done: atMembers("invited"),
    changes: ["invitation_counts", "invitations"],
    isAnybodys: true,
  },
  "/dashboard/members invite-admin": {
    needs: "members",
    fields: { intent: "invite", address: "new.admin@example.com", role: "admin" },
    done: atMembers("invited"),
    changes: ["invitation_counts", "invitations"],
    isAnybodys: true,
  },
  "/dashboard/members resend": {
    needs: "members",
    fields: async ({ ids }) => ({ intent: "resend", invitation: await renamed(ids.invitation) }),
    done: atMembers("resent"),
    changes: ["invitation_counts", "invitations"],
  },
  "/dashboard/members withdraw": {
    needs: "members",
    fields: ({ ids }) => ({ intent: "withdraw", invitation: ids.invitation }),
    done: atMembers("withdrawn"),
    changes: ["invitations"],
  },
  "/dashboard/members role": [
    {
      what: "of a member",
      needs: "members",
      fields: ({ ids }) => ({ intent: "role", person: ids.bystander, role: "admin" }),
      done: atMembers("role"),
      changes: ["members"],
    },
    {
      what: "of an owner",
      needs: "own",
      fields: ({ founder }) => ({ intent: "role", person: founder.userId, role: "admin" }),
      done: atMembers("role"),
      changes: ["customers", "members", "workspaces"],
      refused,
    },
  ],
  "/dashboard/members make-owner": {
    needs: "own",
    fields: ({ ids }) => ({ intent: "role", person: ids.bystander, role: "owner" }),
    done: atMembers("role"),
    changes: ["members"],
  },
  "/dashboard/members remove": [
    {
      what: "a member",
      needs: "members",
      fields: ({ ids }) => ({ intent: "remove", person: ids.bystander }),
      done: atMembers("removed"),
      changes: withBillingContact,
    },
    {
      what: "an owner",
      needs: "own",
      fields: ({ founder }) => ({ intent: "remove", person: founder.userId }),
      done: atMembers("removed"),
      changes: ["api_tokens", "approver_passkeys", "customers", "members", "workspaces"],
      refused,
    },
  ],
  "/dashboard/members leave": {
    needs: "see",
    fields: { intent: "leave" },
    done: /^leads to \/dashboard$/,
    changes: withBillingContact,
    isAnybodys: true,
  },
  "/dashboard/second-factor": {
    needs: "see",
    fields: {},
    done: /^leads to \/dashboard$/,
    changes: withBillingContact,
    isAnybodys: true,
  },
  "/dashboard/settings rename": {
    needs: "settings",
    fields: { intent: "rename", name: "Renamed" },
    done: atSettings("named"),
    changes: ["fleets", "workspaces"],
    isAnybodys: true,
  },
  "/dashboard/settings factor": {
    needs: "settings",
    fields: { intent: "factor", wanted: "no" },
    done: atSettings("factor-off"),
    isAnybodys: true,
  },
  "/dashboard/settings hand-over": {
    needs: "own",
    fields: { intent: "hand-over", address: "bystander@example.com", sure: "yes" },
    done: atSettings("handed-over"),
    changes: withBillingContact,
  },
  "/dashboard/settings sso": {
    needs: "own",
    fields: async ({ ids }) => {
      await runSql(
        "insert into public.sso_connections (workspace_id) values ($1) on conflict do nothing",
        [ids.team],
      );
      // What is above is the operator's offer, before the form: the form itself adds a domain alone.
      return { intent: "sso", act: "add", value: "okapi.example" };
    },
    done: atSettings("sso"),
    changes: ["sso_domains"],
  },
  "/dashboard/settings delete": {
    needs: "own",
    // Without a plan nothing is to be ended at Stripe, where nobody puts it back.
    fields: async ({ ids }) => {
      await runSql("delete from public.customers where workspace_id = $1", [ids.team]);
      return { intent: "delete", confirmation: "Okapi team" };
    },
    done: /^leads to \/dashboard\?notice=workspace-deleted/,
    changes: [
      "api_tokens",
      "approver_passkeys",
      "closed_fleets",
      "deployment_versions",
      "deployments",
      "fleets",
      "invitations",
      "members",
      "model_configuration_versions",
      "token_allowances",
      "workspace_tokens",
      "workspaces",
    ],
  },
};
