import { data, Form, redirect, useNavigation } from "react-router";
import { viewAddress } from "~/features/account/sign-in/views";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { fill } from "~/features/workspaces/fill";
import {
  acceptInvitation,
  type InvitationView,
  invitationView,
  type Refused,
} from "~/features/workspaces/invitation.server";
import { appContext } from "~/http/app-context";
import { signInPage, singleSignOnPage } from "~/http/page-addresses";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/invitation";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Invitation") },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export async function loader({ request, context }: Route.LoaderArgs) {
  const scope = { context: context.get(appContext), session: context.get(sessionContext) };
  const view = await invitationView(scope, tokenOf(request));
  if (view.invitation?.state === "accepted") {
    throw redirect(`/dashboard/w/${view.invitation.slug}`, 303);
  }
  return data(view, { status: view.isUnavailable ? 503 : view.invitation ? 200 : 404 });
}

export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      principal,
    };
    const token = tokenOf(request);
    const refused = await acceptInvitation(scope, token);
    if (refused) return data({ refused }, { status: refused === "unavailable" ? 503 : 409 });
    // The page knows the address of the workspace, and leads there.
    return redirect(addressOf(token), 303);
  },
});

export default function Invitation({ loaderData: view, actionData }: Route.ComponentProps) {
  const { words, invitation } = view;
  const labels = words.invitation;
  const refused = actionData && "refused" in actionData ? actionData.refused : undefined;
  const message =
    actionData && "message" in actionData ? actionData.message : refused && sentence(refused, view);
  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <BrandMark className="mb-4" />
        <h1 className="text-xl wrap-anywhere">
          {invitation ? fill(labels.title, invitation) : pageName}
        </h1>
        {message ? (
          <Message kind="failure" className="mt-5">
            {message}
          </Message>
        ) : null}
        {invitation ? (
          <Joining view={view} invitation={invitation} />
        ) : (
          <p className="mt-5">{view.isUnavailable ? labels.unavailable : labels.gone}</p>
        )}
      </div>
    </div>
  );
}

const pageName = "Invitation";

type Found = NonNullable<InvitationView["invitation"]>;

function Joining({ view, invitation }: { view: InvitationView; invitation: Found }) {
  const busy = useNavigation().state !== "idle";
  const { words, token, signedInAs } = view;
  const labels = words.invitation;
  const { name, says } = words.roles[invitation.role];
  const here = addressOf(token);
  return (
    <>
      <p className="mt-5 wrap-anywhere">{fill(labels.says, { ...invitation, role: name })}</p>
      <p className="mt-2 text-ink-soft">{says}</p>
      <p className="mt-2 wrap-anywhere text-ink-soft">{fill(labels.for, invitation)}</p>
      {invitation.state === "other address" ? (
        <>
          <Message kind="warning" className="mt-6">
            {fill(labels.otherAddress, { address: signedInAs ?? "", invited: invitation.address })}
          </Message>
          <Form method="post" action="/signout" reloadDocument className="mt-6">
            <input type="hidden" name="next" value={here} />
            <Button type="submit" className="w-full" disabled={busy}>
              {labels.signOut}
            </Button>
          </Form>
        </>
      ) : invitation.state === "unconfirmed" ? (
        <Message kind="warning" className="mt-6">
          {labels.unconfirmed}
        </Message>
      ) : invitation.state === "single sign-on" ? (
        <>
          <Message kind="warning" className="mt-6 mb-6">
            {fill(labels.singleSignOn, invitation)}
          </Message>
          <LinkButton to={singleSignOnPage(here)}>{labels.singleSignOnButton}</LinkButton>
        </>
      ) : signedInAs === undefined ? (
        <div className="mt-6 grid gap-3">
          <LinkButton to={signInPage(here)}>{labels.signIn}</LinkButton>
          <LinkButton to={viewAddress("sign_up", here)} variant="secondary">
            {labels.signUp}
          </LinkButton>
        </div>
      ) : (
        <Form method="post" action={here} replace className="mt-6">
          <p className="mb-4 wrap-anywhere text-ink-soft">
            {fill(labels.signedInAs, { address: signedInAs })}
          </p>
          <Button type="submit" className="w-full wrap-anywhere" disabled={busy}>
            {fill(labels.join, invitation)}
          </Button>
        </Form>
      )}
    </>
  );
}

function tokenOf(request: Request): string {
  return new URL(request.url).searchParams.get("token") ?? "";
}

function addressOf(token: string): string {
  return `/invitation?${new URLSearchParams({ token })}`;
}

function sentence(
  refused: Refused,
  { words, invitation, signedInAs = "" }: InvitationView,
): string {
  const labels = words.invitation;
  const says = {
    gone: labels.gone,
    "other address": fill(labels.otherAddress, {
      address: signedInAs,
      invited: invitation?.address ?? "",
    }),
    unconfirmed: labels.unconfirmed,
    "single sign-on": fill(labels.singleSignOn, invitation ?? {}),
    full: labels.full,
    "too many workspaces": labels.tooManyWorkspaces,
    unavailable: labels.unavailable,
  } satisfies Record<Refused, string>;
  return fill(says[refused], invitation ?? {});
}
