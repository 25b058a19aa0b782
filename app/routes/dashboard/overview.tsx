import { useEffect } from "react";
import { createContext, data, redirect, useSearchParams } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { identifyPrincipal, sessionContext } from "~/features/auth/session/session.server";
import { addressUnconfirmed } from "~/features/auth/session/sign-in-problems";
import {
  claimGuestPurchases,
  claimGuestPurchasesOrThrow,
} from "~/features/billing/checkout/guest-purchases.server";
import { customersOf } from "~/features/billing/subscriptions/customers.server";
import { PlanSection } from "~/features/billing/subscriptions/plan-section";
import { isOpen } from "~/features/billing/subscriptions/subscription-words";
import { subscriptionsOfVisitor } from "~/features/billing/subscriptions/subscriptions.server";
import { syncSubscription } from "~/features/billing/subscriptions/sync-subscription.server";
import { visibleSubscriptions } from "~/features/billing/subscriptions/visible-subscriptions.server";
import { clearDraft } from "~/features/deployments/draft/draft";
import { draftNotes } from "~/features/deployments/draft/draft-notes.server";
import {
  entitlementOfRows,
  entitlementOfVisitor,
} from "~/features/deployments/plan/entitlement.server";
import { planLinkFor } from "~/features/deployments/plan/plan-link";
import {
  createFirstServer,
  serversOf,
  typedFields,
} from "~/features/deployments/progress/first-server.server";
import { FirstSteps } from "~/features/deployments/progress/first-steps";
import { revalidatesAfterLook } from "~/features/deployments/progress/use-look";
import { quotaRefusal, serverQuotaOf } from "~/features/servers/connect/server-quota";
import { changeManyServers } from "~/features/servers/incidents/many-changes.server";
import { keepStaleData } from "~/features/servers/live/stale-data";
import { useLive } from "~/features/servers/live/use-live";
import { FleetSection } from "~/features/servers/pages/fleet-section";
import { reportedServers } from "~/features/servers/pages/reported-servers.server";
import { fleetPart, readWorkspaceFleet } from "~/features/servers/pages/workspace-fleet.server";
import { notAllowed, roleMay } from "~/features/workspaces/roles";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { tooOften } from "~/http/too-often";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase } from "~/ui/console/console-path";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/overview";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Overview") },
  { name: "robots", content: "noindex" },
];

/** What went wrong on the way to another site. The key travels in the URL, the words do not. */
const notices: ReadonlyMap<string | null, string> = new Map([
  [
    "portal-unavailable",
    "Billing could not be opened right now. Nothing was changed. Please try again in a moment.",
  ],
  ["too-often", tooOften],
  [
    "not-allowed",
    "Billing was not opened. It is for owners, admins and members for billing of this workspace.",
  ],
  ["unconfirmed", addressUnconfirmed],
  ["workspace-deleted", "The workspace is deleted."],
  [
    "sso-full",
    "You are signed in, but your organisation's workspace has as many members as its plan holds, so you are not in it. Its owners are mailed. Sign in with SSO again when they have made room.",
  ],
  [
    "sso-removed",
    "You are signed in, but somebody has removed you from your organisation's workspace. Ask its owners or admins for an invitation.",
  ],
  [
    "sso-unavailable",
    "You are signed in, but your organisation's workspace could not be joined right now. Sign out, and in with SSO again in a moment.",
  ],
]);

export const handle = { right: "describe", isRead: true } satisfies ConsoleHandle;

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepStaleData];

/** Where an action has just waited for the database in vain, its page does not wait again. */
const databaseIsAway = createContext(false);

export async function loader({ request, context }: Route.LoaderArgs) {
  if (context.get(databaseIsAway)) return data({ subscriptions: undefined }, { status: 503 });
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const workspace = context.get(workspaceContext);
  const search = new URL(request.url).searchParams;
  const reading = readWorkspaceFleet(context);
  const reports = reading.then((fleet) => reportedServers(fleet?.servers ?? []));
  const [subscriptions, fleet, { names, ...servers }] = await Promise.all([
    subscriptionsOfVisitor(session.supabase, app, workspace),
    reading,
    serversOf(session.supabase, app, workspace, reports),
  ]);
  const fleetView = await fleetPart(context, fleet, search, names);
  let rows = subscriptions;
  if (rows && !rows.some(isOpen)) {
    const current = await identifyPrincipal(session);
    if (current.ok && (await claimGuestPurchases(app, current.principal.user)) > 0) {
      rows = await subscriptionsOfVisitor(session.supabase, app, workspace);
    }
  }
  // Who may not do the billing reads no subscription, and works with the plan all the same.
  const entitlement = rows?.length
    ? entitlementOfRows(rows, app)
    : rows && (await entitlementOfVisitor(session.supabase, app, workspace));
  // Whether servers run does not depend on what is paid.
  if (!rows || !entitlement) {
    return data({ ...fleetView, subscriptions: undefined }, { status: 503 });
  }
  const plan = entitlement.kind === "entitled" ? entitlement.plan : undefined;
  return {
    ...fleetView,
    servers: plan && servers,
    quotaRefusal: quotaRefusal(fleet ? serverQuotaOf(plan, fleet.servers) : undefined),
    ...(rows.length === 0 && plan && { planOfOthers: plan }),
    ...(entitlement.kind === "entitled" && entitlement.isTrial && { isTrial: true }),
    // A member whose role does not allow it reads who chooses the plan.
    refusal:
      workspace && !roleMay(workspace.role, "billing")
        ? notAllowed(workspace.role, "billing")
        : undefined,
    draftNotes: draftNotes(search),
    upgrade:
      plan === "Basic"
        ? { to: planLinkFor(entitlement, consoleBase(request.url)).to, words: "Upgrade to Pro" }
        : undefined,
    subscriptions: visibleSubscriptions(rows, Date.now()),
  };
}

/**
 * Makes the first server, or reads the workspace's customers again at Stripe: for a customer who does not want to wait
 * for a webhook.
 */
export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const form = await readForm(request);
    const isCreate = form.get("intent") === "create";
    return data(isCreate ? { message, typed: typedFields(form) } : { message }, { status });
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const form = await readForm(request);
    if (form.get("intent") === "create") {
      const session = context.get(sessionContext);
      return createFirstServer(
        { context: app, session, principal, workspace: context.get(workspaceContext) },
        form,
        consoleBase(request.url),
      );
    }
    const { user } = principal;
    const workspace = context.get(workspaceContext);
    if (form.get("intent") === "many" && workspace) {
      const session = context.get(sessionContext);
      const scope = { context: app, session, principal, workspace };
      const changed = await changeManyServers(scope, form);
      if (changed.ok) return redirect(consoleBase(request.url), 303);
      return data({ message: changed.message }, { status: changed.status });
    }
    let customers: string[];
    try {
      const database = serviceClient(app.configuration, app.caller);
      await claimGuestPurchasesOrThrow(database, user);
      customers = await customersOf(database, {
        person: user,
        workspace: context.get(workspaceContext),
      });
    } catch (error) {
      log.error("A refresh failed", describeError(error));
      context.set(databaseIsAway, true);
      return data({ message: undefined }, { status: 503 });
    }
    try {
      await Promise.all(customers.map((id) => syncSubscription(app.configuration, id)));
      return { message: undefined };
    } catch (error) {
      log.error("A refresh failed", describeError(error));
      return data(
        { message: "Stripe does not answer right now. What you see is the last known state." },
        { status: 502 },
      );
    }
  },
});

export const shouldRevalidate = revalidatesAfterLook;

export default function Overview({ loaderData, actionData }: Route.ComponentProps) {
  const { subscriptions } = loaderData;
  const fleet = "fleet" in loaderData ? loaderData.fleet : null;
  const live = useLive("live" in loaderData ? loaderData.live : undefined, "all");
  const hasForm = "servers" in loaderData && loaderData.servers?.state === "none";
  const outcome = hasForm && actionData && "typed" in actionData ? actionData : undefined;
  // While servers cannot be read nobody knows how far the first one is.
  const isUnknown =
    "servers" in loaderData &&
    loaderData.servers?.state === "first" &&
    fleet !== null &&
    fleet.list === undefined;
  const [search] = useSearchParams();
  const hasMade = search.has("made");
  // The browser's draft of the services page is in the deployment now.
  useEffect(() => {
    if (hasMade) clearDraft();
  }, [hasMade]);
  const message = outcome
    ? undefined
    : actionData
      ? actionData.message
      : notices.get(search.get("notice"));
  // What is to be done something about comes first.
  const isPlanFine =
    "planOfOthers" in loaderData ||
    (subscriptions?.length === 1 && subscriptions.every(({ tone }) => tone === "good"));
  // The banner says what a trial is; nobody bought it.
  const plan =
    "isTrial" in loaderData ? null : (
      <PlanSection
        subscriptions={subscriptions}
        planOfOthers={"planOfOthers" in loaderData ? loaderData.planOfOthers : undefined}
        refusal={"refusal" in loaderData ? loaderData.refusal : undefined}
        upgrade={"upgrade" in loaderData ? loaderData.upgrade : undefined}
      />
    );
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Overview</h1>
      {message ? (
        <Message kind="failure" className="mt-6">
          {message}
        </Message>
      ) : null}
      {isPlanFine ? null : plan}
      {"draftNotes" in loaderData
        ? loaderData.draftNotes.map((note) => (
            <Message key={note} kind="warning" className="mt-6">
              {note}
            </Message>
          ))
        : null}
      {fleet ? (
        <section aria-labelledby="fleet" className="mt-8">
          <h2 id="fleet" className="text-xl">
            Your servers
          </h2>
          <FleetSection {...fleet} live={live} />
        </section>
      ) : null}
      {"servers" in loaderData && loaderData.servers && !isUnknown ? (
        <FirstSteps
          servers={loaderData.servers}
          quotaRefusal={loaderData.quotaRefusal}
          outcome={outcome}
          isBelowFleet={fleet !== null}
        />
      ) : null}
      {isPlanFine ? plan : null}
    </div>
  );
}
