import { useEffect, useRef } from "react";
import {
  data,
  Form,
  Link,
  redirect,
  redirectDocument,
  useFetcher,
  useNavigate,
  useSearchParams,
} from "react-router";
import { brand } from "~/content/chrome";
import {
  problemOfQuery,
  problemSentence,
} from "~/features/account/sign-in/callback-problems.server";
import { cleanAddress } from "~/features/account/sign-in/clean-address.client";
import { OneTap } from "~/features/account/sign-in/one-tap";
import { oneTapOf } from "~/features/account/sign-in/one-tap.server";
import { ProviderForm, ProviderIcon } from "~/features/account/sign-in/provider-form";
import { guardedForVisitors } from "~/features/auth/guard.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { nothingReadable, notSignedIn } from "~/features/auth/session/sign-in-problems";
import { startCheckout } from "~/features/billing/checkout/checkout.server";
import type { CheckoutFailureCode } from "~/features/billing/checkout/checkout-messages";
import { PlanDialog } from "~/features/billing/checkout/plan-dialog";
import { requestCheckout } from "~/features/billing/checkout/request-checkout.client";
import { loadStripeJs } from "~/features/billing/checkout/stripe-js";
import { priceIds } from "~/features/billing/prices/prices";
import { firstWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { codePage } from "~/http/page-addresses";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { Button } from "~/ui/primitives/button";
import { Dialog } from "~/ui/primitives/dialog";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/signup";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Get started",
    description: "Sign up with Google, choose a plan and deploy your own LiveKit server.",
    path: "/signup",
  });

/** Who has no session and opens nothing reads three links: React comes with the dialogs, and with One Tap. */
export const handle: RouteHandle = {
  isReading: (loaderData) => (loaderData as Route.ComponentProps["loaderData"]).isReading,
};

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { configuration } = app;
  const visitor = await context.get(sessionContext).visitor();
  if (visitor.state === "second-factor-due") throw redirect(codePage("/signup"));
  const { monthly, yearly } = priceIds(configuration);
  // Somebody in a trial signs up like anybody else.
  const isSignedIn = visitor.state === "signed-in" && !visitor.isTrial;
  const query = new URL(request.url).searchParams;
  const unavailable = visitor.state === "unavailable";
  const oneTap = isSignedIn || unavailable ? undefined : await oneTapOf(app, request);
  const problem = unavailable ? nothingReadable : problemSentence(problemOfQuery(query));
  const signInOpen = !isSignedIn && query.get("dialog") === "sign-in";
  return data(
    {
      problem,
      signInOpen,
      isReading: !isSignedIn && !problem && !signInOpen && !oneTap,
      state: visitor.state === "signed-in" && !isSignedIn ? "signed-out" : visitor.state,
      userId: isSignedIn ? visitor.userId : "",
      oneTap: oneTap?.prompt,
      prices: { monthly, yearly },
      stripePublishableKey: configuration.STRIPE_PUBLISHABLE_KEY,
      tax: configuration.STRIPE_AUTOMATIC_TAX,
    },
    {
      status: unavailable ? 503 : 200,
      headers: oneTap?.cookie ? { "set-cookie": oneTap.cookie } : {},
    },
  );
}

/** The plan dialog without script: the same purchase, by a form post that ends at the hosted page. */
export const action = guardedForVisitors({
  refused: (refusal) => problem(refusal),
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const posted = (await readForm(request)).get("option");
    const option = optionOf(posted);
    if (!principal) return problem({ status: 401, message: notSignedIn });
    const price = option && priceIds(app.configuration)[option];
    const holder = { person: principal.user, workspace: await firstWorkspace(context) };
    const start = await startCheckout(app, { kind: "account", holder }, price);
    return start.ok ? redirect(start.url, 303) : problem(start, option);
  },
});

function optionOf(value: string | null) {
  return value === "monthly" || value === "yearly" ? value : undefined;
}

type Problem = { status: number; message: string; code?: CheckoutFailureCode | undefined };

function problem({ status, message, code }: Problem, option?: "monthly" | "yearly") {
  return data({ message, code, option }, { status });
}

/** The plan dialog with script: leads to the page that our API answers, or says why there is none. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const answer = await requestCheckout(await request.text());
  return "url" in answer ? redirectDocument(answer.url) : problem(answer);
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  const { state, signInOpen, oneTap, problem, userId, prices, stripePublishableKey, tax } =
    loaderData;
  const checkout = useFetcher<typeof clientAction>();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const signedIn = state === "signed-in";

  const signUpButton = useRef<HTMLButtonElement>(null);

  useEffect(cleanAddress, []);
  // The document was loaded with the dialog: there is no place that had the focus before it.
  useEffect(() => (signInOpen ? () => signUpButton.current?.focus() : undefined), [signInOpen]);
  useEffect(() => {
    if (signedIn) loadStripeJs(stripePublishableKey);
  }, [signedIn, stripePublishableKey]);

  return (
    <div className="page flex min-h-[70vh] flex-col items-center justify-center py-20 text-center">
      <h1 className="text-3xl">Get Started with {brand}</h1>
      <p className="mt-4 text-lg text-ink-soft">Deploy your LiveKit server with confidence</p>
      {problem ? (
        <Message kind="failure" className="mt-8">
          {actionData?.message ?? problem}
        </Message>
      ) : null}
      <Form method="get" action="/signup" className="mt-10">
        <Button ref={signUpButton} type="submit" name="dialog" value="sign-in">
          <span className="rounded-sm bg-[white] p-1">
            <ProviderIcon provider="google" />
          </span>
          Sign up with Google
        </Button>
      </Form>
      <TextLink to="/signin?next=%2Fsignup#auth-sign-up" variant="standalone" className="mt-4">
        Sign up with e-mail or another account
      </TextLink>
      <p className="text-ink-soft">
        Already have an account?{" "}
        <TextLink to="/signin" variant="standalone">
          Sign in
        </TextLink>
      </p>
      <Link to="/" className="mt-6 inline-flex min-h-11 items-center text-ink-soft hover:text-ink">
        ← Back to home
      </Link>
      {oneTap && !signInOpen ? <OneTap prompt={oneTap} next="/signup" /> : null}
      {signInOpen ? (
        <Dialog title="Sign in to your account" closeTo="/signup">
          <p className="mb-5 text-ink-soft">
            We ask Google for your name and e-mail address, nothing else.
          </p>
          <ProviderForm action="/signin" next="/signup" />
        </Dialog>
      ) : null}
      {signedIn ? (
        <PlanDialog
          checkout={checkout}
          userId={userId}
          prices={prices}
          tax={tax}
          posted={actionData}
          chosen={actionData?.option ?? optionOf(search.get("plan"))}
          onClose={() => navigate("/")}
        />
      ) : null}
    </div>
  );
}
