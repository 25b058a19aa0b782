import type { CDPSession, Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { ensureWholeChromium } from "../../../../scripts/lib/chromium.ts";
import { storePlan } from "../../../support/billing/store-plan.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../../support/deployments/deployments.ts";
import { pushedMessages, webhookAddress } from "../../../support/servers/arrived.ts";
import { enrolMachines } from "../../../support/servers/connect-server.ts";
import { controlFleet } from "../../../support/servers/control-fleet.ts";
import { PushReceiver } from "../../../support/servers/push-receiver.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { siteUrl } from "../../../support/site/own-site.ts";
import { pollUntil } from "../../../support/site/poll.ts";
import { personalWorkspace } from "../../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";

type Subscription = { endpoint: string; expirationTime: null; keys: Record<string, string> };

/**
 * Chromium subscribes at Google's push service, which no test reaches. So its answer alone is ours, in the form of
 * Chromium's own: a subscription whose address is the fake's, and whose keys are our receiver's.
 */
async function subscribesAt(page: Page, subscription: Subscription): Promise<void> {
  await page.addInitScript((answer) => {
    PushManager.prototype.subscribe = async (options) => {
      Object.assign(window, { options });
      return { toJSON: () => answer } as unknown as PushSubscription;
    };
  }, subscription);
}

/** The registration of the script of push, as DevTools knows it. */
async function registrationOf(devTools: CDPSession): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const [found] = registrations.filter(({ scopeURL }) => scopeURL === `${siteUrl}/dashboard`);
    if (found) resolve(found.registrationId);
  });
  await devTools.send("ServiceWorker.enable");
  return promise;
}

/** What the browser shows of our notifications. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration("/dashboard");
    const all = (await registration?.getNotifications()) ?? [];
    return all.map(({ title, body, tag, requireInteraction }) => ({
      ...{ title, body, tag, requireInteraction },
    }));
  });

test("a browser subscribes, gets what is wrong sealed for it, shows it, and a press on it opens the incident", async () => {
  await using person = await openPage({ executable: ensureWholeChromium() });
  const { page } = person;
  const receiver = new PushReceiver();
  await subscribesAt(page, {
    endpoint: webhookAddress("x").replace("/webhooks/x", "/push/chromium"),
    expirationTime: null,
    keys: receiver.keys,
  });
  await page.context().grantPermissions(["notifications"], { origin: siteUrl });
  const visitor = await person.signIn(email);
  await storePlan(email, "basic");
  const workspace = await personalWorkspace(email);
  const [machine] = await enrolMachines(visitor, await storeDeployment(email, fullOptions()), 1);
  await person.visit("/dashboard/alerts");
  await page.locator("summary", { hasText: "Push to this browser" }).click();
  await page.getByRole("button", { name: "Tell this browser" }).click();
  await page.getByText("The channel was added.").waitFor();
  await page.getByText("Push to Chrome on Linux").first().waitFor();
  const options = await page.evaluate(
    () => (window as unknown as { options: PushSubscriptionOptionsInit }).options,
  );
  expect(options).toEqual({
    userVisibleOnly: true,
    applicationServerKey: expect.stringMatching(/^B[\w-]{86}$/),
  });

  await machine?.report(2, [critical]);
  await controlFleet(siteUrl, workspace.id, "clock", { ms: 0 });
  const [pushed] = await pollUntil(pushedMessages, ({ length }) => length > 0);
  const text = receiver.opened(pushed?.body ?? "");
  const message: Record<string, unknown> = JSON.parse(text);

  const devTools = await page.context().newCDPSession(page);
  const registrationId = await registrationOf(devTools);
  const deliver = (data: string) =>
    devTools.send("ServiceWorker.deliverPushMessage", { origin: siteUrl, registrationId, data });
  await deliver(text);
  const [notification, ...others] = await pollUntil(
    () => shown(page),
    ({ length }) => length > 0,
  );
  expect(others).toEqual([]);
  const { title, body, tag } = message;
  expect(title).toContain("sfu-1");
  expect(notification).toEqual({ title, body, tag, requireInteraction: true });
  // A newer message about the incident takes the place of the older one.
  await deliver(JSON.stringify({ ...message, title: "sfu-1 is well again", isUrgent: false }));
  await pollUntil(
    () => shown(page),
    (all) => all.some((each) => each.title === "sfu-1 is well again"),
  );
  expect(await shown(page)).toHaveLength(1);

  // DevTools has no press on a notification. Only a real one may open a window, so what is opened is noted instead.
  const [worker] = page.context().serviceWorkers();
  const opened = await worker?.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (url: string) => Promise<null> };
      dispatchEvent: (event: Event) => void;
      NotificationEvent: new (name: string, about: { notification?: Notification }) => Event;
    };
    const { promise, resolve } = Promise.withResolvers<string>();
    scope.clients.openWindow = async (url) => {
      resolve(url);
      return null;
    };
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(
      new scope.NotificationEvent("notificationclick", notification ? { notification } : {}),
    );
    return promise;
  });
  expect(opened).toBe(message.url);
  expect(await shown(page)).toEqual([]);
  await page.goto(opened ?? "");
  await page.getByRole("button", { name: "Acknowledge" }).waitFor();
  await page.getByText("sfu-1").first().waitFor();
});
