import type { User, UserIdentity } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { unnamed } from "~/content/account";
import address from "~/content/account-page.json?url&no-inline";
import { providerNames } from "~/content/provider-names";
import { isRecent, type Principal } from "~/features/auth/session/session.server";
import { ssoPrefix, ssoProviderOf } from "~/features/auth/sso-identity";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import type { AppContext } from "~/http/app-context";
import { pageTexts } from "~/http/assets.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { type Provider, providerFacts } from "~/platform/env/providers";
import { describeError, log } from "~/platform/log/log.server";
import { workspaceBase } from "~/ui/console/console-path";
import { momentOf } from "~/ui/dates";
import { signOutNotice } from "../sign-in/sign-out.server";
import type { Done, Section } from "./account-outcome";
import { pendingEmail } from "./change-email.server";
import { hasPassword, proofForPassword } from "./change-password.server";
import { connectingFailure } from "./connecting.server";
import { recoveryCodesLeft } from "./second-factor/recovery-codes.server";
import { sessionsOf } from "./sessions.server";

type AccountWords = typeof import("~/content/account-page.json");

export const accountWords = pageTexts<AccountWords>(address, "Your account");

type Notice = { section: Section; message: string; kind?: "warning" };

const inTheWay = z.array(z.object({ slug: z.string(), name: z.string() }));

export type AccountView = Awaited<ReturnType<typeof accountView>>;

/** Everything that the account page shows about a person, and the page's texts. */
export async function accountView(
  { user, account, assurance }: Principal,
  context: AppContext,
  query: URLSearchParams,
  workspaces: readonly Pick<Workspace, "name" | "isPersonal" | "isShared">[] = [],
) {
  const { identities = [], factors = [] } = account;
  const verified = factors.filter(({ status }) => status === "verified");
  const [words, sessions, knowsPassword, codesLeft, undecided] = await Promise.all([
    accountWords(context),
    sessionsOf(context, user.id, assurance.sessionId),
    hasPassword(context, user.id),
    verified.length > 0 ? recoveryCodesLeft(context, user.id) : undefined,
    workspacesInTheWay(context, user.id),
  ]);
  // If the database does not answer, we assume a password, so that the field for it is shown.
  const proof = proofForPassword(knowsPassword ?? true, assurance);
  const pending = pendingEmail(account.user_metadata, user.email);
  const isManaged = ssoProviderOf(account) !== undefined;
  return {
    words,
    notice: noticeIn(query, words),
    email: {
      address: user.email,
      confirmed: user.emailVerified,
      pending: pending
        ? words.email.pending
            .replace("{address}", pending.address)
            .replace("{time}", momentOf(new Date(pending.requestedAt)))
        : undefined,
    },
    /** The number that signs in; undefined where the site takes no codes by text message. */
    phone: context.configuration.SIGN_IN_SMS
      ? { number: account.phone ? `+${account.phone}` : undefined }
      : undefined,
    /** Whether it is an account of single sign-on, whose address, number, password and ways in are not its own to change. */
    isManaged,
    recent: isRecent(assurance),
    password: {
      proof,
      note:
        proof === "nothing"
          ? words.password[knowsPassword === false ? "none" : "recent"]
          : undefined,
    },
    confirmation: deletionConfirmation(account),
    workspacesInTheWay: undecided,
    /** What goes with the account besides its personal workspace. */
    workspacesAlone: workspaces
      .filter(({ isPersonal, isShared }) => !isPersonal && !isShared)
      .map(({ name }) => name),
    identities: identities.map((identity) => ({
      id: identity.identity_id,
      provider: identity.provider,
      name: nameOf(identity, words),
      detail: addressOf(identity),
      since: identity.created_at ? momentOf(identity.created_at) : undefined,
      removable: identities.length > 1 && !["email", "phone"].includes(identity.provider),
    })),
    linkable: context.configuration.SIGN_IN_PROVIDERS.filter(
      (provider) => !identities.some((identity) => providerOf(identity) === provider),
    ).map((provider) => ({ provider, name: providerNames[provider] })),
    factors: verified.map(({ id, friendly_name, created_at }) => ({
      id,
      name: friendly_name || unnamed.secondFactor,
      since: momentOf(created_at),
    })),
    /** Whether the site offers a telephone as second factor. */
    offersPhone: context.configuration.SECOND_FACTOR_SMS,
    codesLeft,
    sessions,
    proved: assurance.provedAt
      ? words.sessions.proved.replace("{time}", momentOf(assurance.provedAt))
      : undefined,
  };
}

/**
 * The workspaces that the person alone owns and others work in: they are decided about before the account goes. None
 * where they cannot be read: the deletion asks again.
 */
async function workspacesInTheWay({ configuration }: AppContext, person: string) {
  const { data, error } = await serviceClient(configuration).rpc("workspaces_in_the_way", {
    person,
  });
  if (!error) {
    return inTheWay.parse(data).map(({ slug, name }) => ({ name, base: workspaceBase(slug) }));
  }
  log.error("A person's workspaces were not read", describeError(error));
  return [];
}

/** The text to type before the account is deleted: its e-mail address; without one its phone number, or its id. */
export function deletionConfirmation({ email, phone, id }: User): string {
  return email || phone || id;
}

function doneNotices(words: AccountWords): Record<Done, Notice> {
  return {
    "address-asked": { section: "email", message: words.email.asked },
    "phone-changed": { section: "phone", message: words.phone.changed },
    "password-saved": { section: "password", message: words.password.saved },
    unlinked: { section: "identities", message: words.identities.unlinked },
    linked: { section: "identities", message: words.identities.linked },
    "factor-added": { section: "second-factor", message: words.secondFactor.added },
    "factor-removed": { section: "second-factor", message: words.secondFactor.removed },
    "factor-recovered": {
      section: "second-factor",
      message: words.secondFactor.recovered,
      kind: "warning",
    },
    "codes-kept": { section: "second-factor", message: words.codes.stored },
    "session-ended": { section: "sessions", message: words.sessions.ended },
  };
}

/** The message for what was done before the page was shown, by the key in the URL. */
function noticeIn(query: URLSearchParams, words: AccountWords) {
  const done = query.get("done");
  const notices = doneNotices(words);
  if (done && Object.hasOwn(notices, done)) {
    return { kind: "success" as const, ...notices[done as Done] };
  }
  const failure = connectingFailure(query);
  if (failure) {
    return { kind: "failure" as const, section: "identities" as const, message: failure };
  }
  const signedOut = signOutNotice(query.get("notice"));
  return signedOut ? { section: "sessions" as const, ...signedOut } : undefined;
}

function providerOf({ provider }: UserIdentity): Provider | undefined {
  return (Object.keys(providerNames) as Provider[]).find(
    (each) => (providerFacts[each].supabaseName ?? each) === provider,
  );
}

function nameOf(identity: UserIdentity, words: AccountWords): string {
  if (identity.provider === "email") return words.identities.mail;
  if (identity.provider === "phone") return words.identities.phone;
  if (identity.provider.startsWith(ssoPrefix)) return words.identities.sso;
  const provider = providerOf(identity);
  return provider ? providerNames[provider] : identity.provider;
}

function addressOf({ identity_data }: UserIdentity): string | undefined {
  const email: unknown = identity_data?.email;
  return typeof email === "string" ? email : undefined;
}
