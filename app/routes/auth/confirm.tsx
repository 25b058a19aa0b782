import {
  data,
  Form,
  type ShouldRevalidateFunctionArgs as ShouldRevalidate,
  useNavigation,
} from "react-router";
import { linkLabels, linkWords } from "~/content/link-words";
import { signInLabels } from "~/content/sign-in-labels";
import {
  type LinkType,
  type MailedLink,
  readMailedLink,
} from "~/features/account/sign-in/mailed-link.server";
import { type LinkView, pressLink, showLink } from "~/features/account/sign-in/press-link.server";
import { viewAddress } from "~/features/account/sign-in/views";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/confirm";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Confirm") },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/**
 * Only shows a button, and whose account it opens. Mail scanners open every link to check it; if
 * opening were enough, they would use the link up before the person does.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const attempt = {
    request,
    context: context.get(appContext),
    session: context.get(sessionContext),
  };
  const link = readMailedLink(new URL(request.url).searchParams, attempt.context.configuration);
  // The address that a form is posted to carries no link.
  if (!link) return data<LinkView>({ link }, { status: request.method === "GET" ? 400 : 200 });
  const { view, status } = await showLink(link, attempt);
  return data(view, { status });
}

/** A form's answer carries the link along; the address that it was posted to does not. */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidate) {
  return formMethod ? false : defaultShouldRevalidate;
}

export async function action({ request, context }: Route.ActionArgs) {
  const attempt = {
    request,
    context: context.get(appContext),
    session: context.get(sessionContext),
  };
  const form = await readForm(request);
  const link = readMailedLink(form, attempt.context.configuration);
  if (!link)
    return data<LinkView>({ link, problem: linkWords.incomplete, final: true }, { status: 400 });
  const choice = { account: form.get("account"), insteadOf: form.get("instead_of") };
  const answer = await pressLink(link, choice, attempt);
  if (answer instanceof Response) return answer;
  const { view, status, headers } = answer;
  return data(view, { status, ...(headers && { headers }) });
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { link, account, other, final = !link, signedInAs, ...view } = actionData ?? loaderData;
  const problem = view.problem ?? (link ? undefined : linkWords.incomplete);
  const halfWay = final && !problem;
  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <BrandMark className="mb-4" />
        <h1 className="text-xl">
          {halfWay
            ? linkWords.halfWayTitle
            : final || !link
              ? linkWords.broken
              : linkLabels[account?.act ?? link.type].title}
        </h1>
        {problem ? (
          <Message kind="failure" className="mt-5">
            {problem}
          </Message>
        ) : null}
        {halfWay ? <p className="mt-5">{linkWords.halfWay}</p> : null}
        {link && !final ? (
          <ConfirmForm link={link} account={account} other={other} />
        ) : halfWay ? null : link && signedInAs ? (
          <>
            <p className="mt-5 wrap-anywhere">{signedInAs}</p>
            <NextLinks type={link.type} signedInTo={link.next} />
          </>
        ) : (
          <NextLinks type={link?.type} />
        )}
      </div>
    </div>
  );
}

function ConfirmForm({
  link,
  account,
  other,
}: Pick<LinkView, "account" | "other"> & { link: MailedLink }) {
  const busy = useNavigation().state !== "idle";
  const named = (words: string) =>
    words.replace("{address}", account?.address ?? "").replace("{other}", other?.name ?? "");
  const { says, button } = linkLabels[account?.act ?? link.type];
  return (
    <>
      {account ? (
        <p className="mt-3 wrap-anywhere" role={other ? "alert" : undefined}>
          {named(other ? linkWords.other : says)}
        </p>
      ) : null}
      <p className="mt-2 mb-6 text-ink-soft">{linkWords.why}</p>
      <Form method="post" action="/auth/confirm" replace>
        <input type="hidden" name="token_hash" value={link.token_hash} />
        <input type="hidden" name="type" value={link.type} />
        <input type="hidden" name="next" value={link.next} />
        {account ? <input type="hidden" name="account" value={account.id} /> : null}
        {other ? <input type="hidden" name="instead_of" value={other.id} /> : null}
        <Button
          type="submit"
          variant={other ? "secondary" : "primary"}
          className="w-full wrap-anywhere"
          disabled={busy}
        >
          {busy ? signInLabels.shared.working : other ? named(linkWords.replace) : button}
        </Button>
      </Form>
      {other ? (
        <LinkButton to="/dashboard" className="mt-3 w-full wrap-anywhere">
          {named(linkWords.stay)}
        </LinkButton>
      ) : null}
    </>
  );
}

/** How somebody with a link that does not work goes on, by what the link was for. */
function NextLinks({ type, signedInTo }: { type: LinkType | undefined; signedInTo?: string }) {
  const next = "/dashboard";
  if (signedInTo) {
    return (
      <div className="mt-6 grid gap-3">
        <LinkButton to={signedInTo}>{linkWords.goOn}</LinkButton>
        {type === "email_change" ? (
          <LinkButton to="/dashboard/account" variant="secondary">
            {linkWords.newChange}
          </LinkButton>
        ) : null}
      </div>
    );
  }
  return (
    <div className="mt-6 grid gap-3">
      {type === "recovery" ? (
        <LinkButton to={viewAddress("forgotten_password", next)}>{linkWords.newReset}</LinkButton>
      ) : type === "email_change" ? (
        <LinkButton to="/dashboard/account">{linkWords.newChange}</LinkButton>
      ) : (
        <LinkButton to={viewAddress("magic_link", next)}>{linkWords.newLink}</LinkButton>
      )}
      <LinkButton to={viewAddress("sign_in", next)} variant="secondary">
        {linkWords.signIn}
      </LinkButton>
    </div>
  );
}
