import {
  data,
  Form,
  redirect,
  type ShouldRevalidateFunctionArgs as ShouldRevalidate,
  useNavigation,
} from "react-router";
import { arriveByMail, arriveToChoosePassword } from "~/auth/arrive.server";
import { failureOf } from "~/auth/auth-errors.server";
import { type LinkType, type MailedLink, readMailedLink } from "~/auth/mailed-link.server";
import { sessionContext, sessionForActions } from "~/auth/session.server";
import { hasJustWorked, rememberUsedLink } from "~/auth/used-link.server";
import { viewAddress } from "~/auth/views";
import { identifyForWriting } from "~/auth/writer.server";
import { Button, LinkButton } from "~/components/button";
import { BrandMark } from "~/components/chrome/brand";
import { Message } from "~/components/message";
import { linkLabels, linkWords, signInLabels } from "~/content/sign-in-labels";
import { readForm } from "~/request/form.server";
import { withinLimit } from "~/request/rate-limit.server";
import { requestContext } from "~/request/request-context";
import { tooOften } from "~/request/too-often";
import type { Route } from "./+types/confirm";

export const meta: Route.MetaFunction = () => [
  { title: "Confirm · LiveKit Deploy" },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionForActions];

/**
 * Only shows a button. Mail scanners open every link to check it; if opening were enough, they would
 * use the link up before the person does.
 */
export function loader({ request, context }: Route.LoaderArgs) {
  const { configuration } = context.get(requestContext);
  const link = readMailedLink(new URL(request.url).searchParams, configuration);
  return data({ link }, { status: link || request.method !== "GET" ? 200 : 400 });
}

/** A form's answer carries the link along; the address that it was posted to does not. */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidate) {
  return formMethod ? false : defaultShouldRevalidate;
}

/** What the page shows after a press that did not lead elsewhere. */
type LinkOutcome = {
  link: MailedLink | undefined;
  problem: string | undefined;
  /** Whether pressing again is in vain. */
  final: boolean;
  /** Whose session this browser has, in words; then the way on is theirs. */
  signedInAs?: string;
};

/** Verifies the link, once, in whatever browser it was opened. */
export async function action({ request, context }: Route.ActionArgs) {
  const asked = context.get(requestContext);
  const session = context.get(sessionContext);
  const link = readMailedLink(await readForm(request), asked.configuration);
  if (!link)
    return data<LinkOutcome>({ link, problem: linkWords.incomplete, final: true }, { status: 400 });
  if (!(await withinLimit(asked, "SIGN_IN_LIMIT", request))) {
    return data<LinkOutcome>({ link, problem: tooOften, final: false }, { status: 429 });
  }
  const { token_hash, type, next } = link;
  const verified = await session.supabase.auth.verifyOtp({ token_hash, type });
  if (!verified.error) {
    const { user } = verified.data;
    if (!user) return data<LinkOutcome>({ link, problem: undefined, final: true }, { status: 200 });
    const response = await (type === "recovery"
      ? arriveToChoosePassword(asked, user, next)
      : arriveByMail(asked, user, next));
    const used = await rememberUsedLink(asked.configuration, token_hash, user.id);
    response.headers.append("set-cookie", used);
    return response;
  }
  const { status, message } = failureOf(verified.error, asked.requestId, linkWords.expired);
  if (status !== 400)
    return data<LinkOutcome>({ link, problem: message, final: false }, { status });
  const present = await identifyForWriting(session, asked.requestId);
  if (!present.ok) return data<LinkOutcome>({ link, problem: message, final: true }, { status });
  const { user, account } = present;
  if (
    type !== "recovery" &&
    (await hasJustWorked(asked.configuration, request, token_hash, user.id))
  ) {
    return redirect(next, 303);
  }
  const signedInAs = linkWords.signedInAs.replace("{name}", user.email || (account.phone ?? ""));
  return data<LinkOutcome>({ link, problem: message, final: true, signedInAs }, { status });
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const link = actionData?.link ?? loaderData.link;
  const problem = actionData?.problem ?? (link ? undefined : linkWords.incomplete);
  const final = actionData?.final ?? !link;
  const halfWay = actionData?.final && !problem;
  return (
    <div className="page flex min-h-[70vh] items-start justify-center pt-12 pb-20 sm:pt-20">
      <div className="w-full max-w-[360px]">
        <BrandMark className="mb-4" />
        <h1 className="text-xl">
          {halfWay
            ? linkWords.halfWayTitle
            : final || !link
              ? linkWords.broken
              : linkLabels[link.type].title}
        </h1>
        {problem ? (
          <Message kind="failure" className="mt-5">
            {problem}
          </Message>
        ) : null}
        {halfWay ? <p className="mt-5">{linkWords.halfWay}</p> : null}
        {link && !final ? (
          <ConfirmForm link={link} />
        ) : halfWay ? null : link && actionData?.signedInAs ? (
          <>
            <p className="mt-5 wrap-anywhere">{actionData.signedInAs}</p>
            <WayOn type={link.type} signedInTo={link.next} />
          </>
        ) : (
          <WayOn type={link?.type} />
        )}
      </div>
    </div>
  );
}

function ConfirmForm({ link }: { link: MailedLink }) {
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <p className="mt-2 mb-6 text-ink-soft">{linkWords.why}</p>
      <Form method="post" action="/auth/confirm" replace>
        <input type="hidden" name="token_hash" value={link.token_hash} />
        <input type="hidden" name="type" value={link.type} />
        <input type="hidden" name="next" value={link.next} />
        <Button type="submit" className="w-full" disabled={busy}>
          {busy ? signInLabels.shared.working : linkLabels[link.type].button}
        </Button>
      </Form>
    </>
  );
}

/** How somebody with a link that does not work goes on, by what the link was for. */
function WayOn({ type, signedInTo }: { type: LinkType | undefined; signedInTo?: string }) {
  const next = "/dashboard";
  if (signedInTo) {
    return (
      <div className="mt-6 grid gap-3">
        <LinkButton to={signedInTo}>{linkWords.goOn}</LinkButton>
        {type === "email_change" ? (
          <LinkButton to="/dashboard/account" look="secondary">
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
      <LinkButton to={viewAddress("sign_in", next)} look="secondary">
        {linkWords.signIn}
      </LinkButton>
    </div>
  );
}
