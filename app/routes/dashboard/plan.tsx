import {
  data,
  Form,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
  useRevalidator,
  useSearchParams,
} from "react-router";
import { furtherOffers, offers, planNames, plans, priceLabel } from "~/content/plans";
import { guarded, requireVerifiedUser } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { startCheckout } from "~/features/billing/checkout/checkout.server";
import { RenewalTerms } from "~/features/billing/checkout/renewal-terms";
import { usePageRestored } from "~/features/billing/checkout/use-page-restored";
import { CancelPlan } from "~/features/billing/plan-change/cancel/cancel-plan";
import { ChangePreview } from "~/features/billing/plan-change/change-preview";
import { CurrentPlan } from "~/features/billing/plan-change/current-plan";
import { doneSentence } from "~/features/billing/plan-change/done-sentence";
import { sentenceOf, statusOf } from "~/features/billing/plan-change/outcome";
import { PausePlan } from "~/features/billing/plan-change/pause/pause-plan";
import { PendingChange } from "~/features/billing/plan-change/pending-change";
import { ChangeCard } from "~/features/billing/plan-change/plan-button";
import { answerPlanForm } from "~/features/billing/plan-change/plan-form.server";
import type { PlanView } from "~/features/billing/plan-change/plan-screen";
import { planScreen } from "~/features/billing/plan-change/plan-screen.server";
import { priceOnPlanPage } from "~/features/billing/prices/prices";
import { orderByTransfer, transferView } from "~/features/billing/transfer-order/order.server";
import { TransferOrder } from "~/features/billing/transfer-order/transfer-order";
import { lossesIn } from "~/features/deployments/record/losses.server";
import { pickWatched, watchLossIn } from "~/features/servers/connect/watch-loss.server";
import { roleMay } from "~/features/workspaces/roles";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { nextPath, pageOf } from "~/http/page-addresses";
import { tooOften, withinLimitOf } from "~/http/rate-limit.server";
import { describeError, log } from "~/platform/log/log.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase, personalBase, useConsoleBase } from "~/ui/console/console-path";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/plan";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Plan") },
  { name: "robots", content: "noindex" },
];

const unreadable =
  "Stripe does not answer right now, so your plan cannot be shown here. It goes on as it is. Please try again in a moment.";
const offline =
  "There is no connection right now. Nothing was changed by this page. Look at it again when you are online, before you confirm anything.";

export const handle = {
  right: "billing",
  breadcrumbs: ({ base }) => [
    { to: `${base}/billing`, label: "Billing" },
    { to: `${base}/plan`, label: "Plan" },
  ],
} satisfies ConsoleHandle;

/** What the page shows where its plan cannot be read, or is not the person's to see. */
const nothing = { screen: undefined, losses: undefined, watch: [], transfer: undefined };

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const workspace = context.get(workspaceContext);
  const query = new URL(request.url).searchParams;
  const back = query.get("back") ? nextPath(query.get("back"), "") : "";
  const { user } = await requireVerifiedUser(context, pageOf(request));
  // The console says who may: what there is to change or to buy is for them.
  if (workspace && !roleMay(workspace.role, "billing")) {
    return { ...nothing, back, problem: undefined };
  }
  if (!(await withinLimitOf(`plan:${user.id}`, app, "CHECKOUT_LIMIT", request))) {
    return data({ ...nothing, back, problem: tooOften }, 429);
  }
  try {
    const screen = await planScreen(app, { person: user, workspace }, query);
    const preview = screen.plan?.preview;
    const isSmaller = preview?.kind === "down" && preview.isSmaller;
    const losses = isSmaller ? await lossesIn(workspace, session.supabase) : undefined;
    const watch = isSmaller ? await watchLossIn(app, workspace) : [];
    const transfer = screen.plan ? undefined : await transferView(app, { person: user, workspace });
    return { screen, losses, watch, transfer, back, problem: undefined };
  } catch (error) {
    log.error("A plan could not be shown", describeError(error));
    return data({ ...nothing, back, problem: unreadable }, 503);
  }
}

/** Changes, cancels or resumes a plan; the page that it leads to says what was carried out. */
export const action = guarded({
  refused: ({ status, message }) => data({ failure: message }, { status }),
  async allowed({ request, context }: Route.ActionArgs, { user }) {
    const app = context.get(appContext);
    const form = await readForm(request);
    const workspace = context.get(workspaceContext);
    const holder = { person: user, workspace };
    if (form.get("intent") === "buy") {
      const slug = workspace?.slug;
      const buyer = { kind: "account", holder, ...(slug && { slug }) } as const;
      const price = priceOnPlanPage(app.configuration, form.get("plan"));
      const start = await startCheckout(app, buyer, price);
      return start.ok
        ? redirect(start.url, 303)
        : data({ failure: start.message }, { status: start.status });
    }
    if (form.get("intent") === "order") {
      const order = await orderByTransfer(app, holder, form.get("plan"));
      return order.ok
        ? redirect(`${consoleBase(request.url)}/plan?done=ordered`, 303)
        : data({ failure: order.message }, { status: order.status });
    }
    const outcome = await answerPlanForm(app, holder, form, pageOf(request));
    if (outcome.kind === "leave") return redirect(outcome.url, 303);
    if (outcome.kind === "done") {
      if (form.get("intent") === "change") await pickWatched(app, workspace, form.get("stays"));
      return redirect(`${consoleBase(request.url)}/plan?${afterwards(request, outcome.done)}`, 303);
    }
    const { why } = outcome;
    const isDeclined = why === "declined" || why === "no-card";
    return data({ failure: sentenceOf(outcome), isDeclined }, { status: statusOf(why) });
  },
});

/** After a resumed plan a change that was looked at is still wanted; after the others it is not. */
function afterwards(request: Request, done: string): URLSearchParams {
  const before = new URL(request.url).searchParams;
  const preserved =
    done === "resumed" || done === "kept"
      ? ["subscription", "back", "to"]
      : ["subscription", "back"];
  const after = new URLSearchParams({ done });
  for (const name of preserved) {
    const value = before.get(name);
    if (value !== null) after.set(name, value);
  }
  return after;
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  try {
    return await serverLoader();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { ...nothing, back: "", problem: offline };
  }
}

/** A request that never arrived, or whose answer did not: the person looks before they try again. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return data({ failure: offline }, { status: 503 });
  }
}

/** What was refused is shown beside how everything is now; where nothing answers, the page stays as it is. */
export function shouldRevalidate({
  actionStatus,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  return actionStatus !== undefined && actionStatus >= 400 && actionStatus < 500
    ? true
    : defaultShouldRevalidate;
}

export default function Plan({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const { revalidate } = useRevalidator();
  // Back from Stripe's page of the invoice, the page that the browser kept does not know what was done there.
  usePageRestored(() => void revalidate());
  const { screen, losses, watch, back, problem, transfer } = loaderData;
  const plan = screen?.plan;
  const sentence = plan && !actionData ? doneSentence(search.get("done"), plan) : undefined;
  const isDeclined = actionData && "isDeclined" in actionData && actionData.isDeclined;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Your plan</h1>
      {back ? (
        <LinkButton to={back} variant={sentence ? "primary" : "secondary"} className="mt-6">
          {sentence ? "Go on where you were" : "Go back without a change"}
        </LinkButton>
      ) : null}
      {problem ? (
        <Message kind="failure" className="mt-6">
          {problem}
        </Message>
      ) : null}
      {sentence ? (
        <Message kind="success" className="mt-6">
          {sentence}
        </Message>
      ) : null}
      {actionData ? (
        <Message kind="failure" className="mt-6">
          {actionData.failure}
        </Message>
      ) : null}
      {isDeclined && plan ? (
        <div className="mt-4 flex flex-wrap gap-3">
          <LinkButton to={`?${search}`} reloadDocument>
            Try again
          </LinkButton>
          <ChangeCard plan={plan} />
        </div>
      ) : null}
      {screen && !plan ? <NoPlan /> : null}
      {transfer ? <TransferOrder view={transfer} /> : null}
      {screen && screen.several.length > 0 ? (
        <Several plans={screen.several} chosen={plan?.subscription} />
      ) : null}
      {plan ? (
        <>
          <CurrentPlan plan={plan} />
          <PendingChange plan={plan} />
          {plan.preview && !isDeclined ? (
            <ChangePreview plan={plan} preview={plan.preview} losses={losses} watch={watch} />
          ) : null}
          {plan.preview || plan.blocked ? null : <Offers plan={plan} search={search} />}
          <PausePlan plan={plan} />
          {plan.endsAt === undefined && !plan.pending ? <CancelPlan plan={plan} /> : null}
        </>
      ) : null}
    </div>
  );
}

function NoPlan() {
  const base = useConsoleBase();
  return (
    <>
      <Card className="mt-8">
        <p className="text-lg font-strong">No plan yet</p>
        <p className="mt-2 max-w-prose text-ink-soft">
          {`${
            base === personalBase
              ? "There is no running plan to change."
              : "This workspace has no plan. Choose one: everybody in it works with it."
          } If you have just paid, look at this page again in a moment.`}
        </p>
        {base === personalBase ? (
          <LinkButton to="/pricing" className="mt-6">
            Choose a plan
          </LinkButton>
        ) : null}
      </Card>
      <PlansToBuy keys={base === personalBase ? furtherOffers : everyOffer} />
    </>
  );
}

/** What a workspace buys on its page. /pricing sells the first two to a person's own. */
const everyOffer = ["basic", "pro", ...furtherOffers] as const;

const rhythms = { month: "by the month", year: "by the year" } as const;

/** The name of an offer: with its rhythm where that is not the one of /pricing. */
function offerName(key: (typeof everyOffer)[number]): string {
  const { plan, interval } = offers[key];
  return key === plan ? planNames[plan] : `${planNames[plan]} ${rhythms[interval]}`;
}

/** Offers to be bought for the workspace of the page. */
function PlansToBuy({ keys }: { keys: readonly (typeof everyOffer)[number][] }) {
  const busy = useNavigation().state !== "idle";
  return (
    <ul className="mt-6 grid gap-4 md:grid-cols-2">
      {keys.map((key) => (
        <Card as="li" variant="flat" key={key} className="flex flex-col">
          <h2 className="text-xl">{offerName(key)}</h2>
          <p className="mt-2 font-mono text-sm tabular-nums text-ink-soft">
            {priceLabel(offers[key])}
          </p>
          <ul className="mt-4 grid gap-1 text-ink-soft">
            {plans
              .find((plan) => plan.key === offers[key].plan)
              ?.features.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
          </ul>
          <Form method="post" className="mt-auto pt-6">
            <input type="hidden" name="intent" value="buy" />
            <Button
              type="submit"
              variant={key === "pro" ? "primary" : "secondary"}
              name="plan"
              value={key}
              disabled={busy}
            >
              Buy {offerName(key)}
            </Button>
            <RenewalTerms interval={offers[key].interval} className="mt-3" />
          </Form>
        </Card>
      ))}
    </ul>
  );
}

/** Somebody who pays twice chooses which plan this page is about. */
function Several({
  plans,
  chosen,
}: {
  plans: readonly { subscription: string; name: string; price: string }[];
  chosen: string | undefined;
}) {
  return (
    <Message kind="warning" className="mt-6">
      <p>You have more than one running plan and pay for each. Cancel what you do not need.</p>
      <ul className="mt-2 grid gap-1">
        {plans.map(({ subscription, name, price }, index) => (
          <li key={subscription}>
            {subscription === chosen ? (
              <span className="font-strong">
                {index + 1}. {name}, {price}: shown below
              </span>
            ) : (
              <TextLink to={`?subscription=${subscription}`} variant="standalone">
                {index + 1}. {name}, {price}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </Message>
  );
}

function Offers({ plan, search }: { plan: PlanView; search: URLSearchParams }) {
  return (
    <ul className="mt-6 grid gap-4">
      {plan.offers.map(({ offer, name, price, direction }) => (
        <Card as="li" variant="flat" key={offer}>
          <h2 className="text-xl">{name}</h2>
          <p className="mt-2 font-mono text-sm tabular-nums text-ink-soft">{price}</p>
          <p className="mt-4 max-w-prose">
            {direction === "up"
              ? "You pay for it today, less what is left of your plan, and have it at once."
              : "You have it from the end of what you have paid for, and pay nothing today."}
          </p>
          <LinkButton
            to={`?${towards(search, offer)}`}
            variant={direction === "up" ? "primary" : "secondary"}
            className="mt-6"
            aria-label={`${direction === "up" ? "See what it costs today" : "See what would change"}: ${name}, ${price}`}
          >
            {direction === "up" ? "See what it costs today" : "See what would change"}
          </LinkButton>
        </Card>
      ))}
    </ul>
  );
}

/** The same page, about a change to an offer. */
function towards(search: URLSearchParams, offer: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("done");
  next.set("to", offer);
  return next;
}
