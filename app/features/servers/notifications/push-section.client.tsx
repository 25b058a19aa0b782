import { useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { personalBase } from "~/ui/console/console-path";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { browserName } from "./browser-name";

/** Whether this browser takes push messages: it does, it forbids them, it cannot, or only from the home screen. */
type Support = "possible" | "denied" | "unsupported" | "home-screen";

/** Subscribes this browser to push messages. Only a script can ask the browser for it. */
export default function PushSection({ publicKey }: { publicKey: string }) {
  const [support, setSupport] = useState(supportHere);
  const [failed, setFailed] = useState(false);
  const [waits, setWaits] = useState(false);
  const busy = useNavigation().state !== "idle" || waits;
  const submit = useSubmit();
  async function subscribe() {
    setFailed(false);
    setWaits(true);
    try {
      const permission = await Notification.requestPermission();
      if (permission === "granted") {
        const fields = await subscriptionFields(publicKey);
        await submit(
          { intent: "add-service", kind: "push", what: "page", ...fields },
          { method: "post" },
        );
      }
      setSupport(supportHere());
    } catch {
      setFailed(true);
    }
    setWaits(false);
  }
  return (
    <div className="grid max-w-prose gap-4 pb-6">
      <p data-push={support}>{words[support]}</p>
      {failed ? (
        <Message kind="failure">
          Your browser could not subscribe. It may have no connection to its push service. Please
          try again.
        </Message>
      ) : null}
      {support === "possible" ? (
        <div>
          <Button type="button" variant="secondary" disabled={busy} onClick={subscribe}>
            Tell this browser
          </Button>
        </div>
      ) : null}
    </div>
  );
}

const words: Record<Support, string> = {
  possible: "Your browser asks you first.",
  denied:
    "Notifications of this site are forbidden in this browser. Allow them in its settings of this site, and load the page again.",
  unsupported: "This browser takes no push.",
  "home-screen":
    "On iPhone and iPad: add this site to the Home Screen by Share, open it from there, and come back to this page.",
};

function supportHere(): Support {
  const canPush =
    "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (canPush) return Notification.permission === "denied" ? "denied" : "possible";
  return "standalone" in navigator && !navigator.standalone ? "home-screen" : "unsupported";
}

/** The subscription of this browser, which is the same again where it has one for this key. */
async function subscriptionFields(publicKey: string): Promise<Record<string, string>> {
  await navigator.serviceWorker.register("/push-worker.js", { scope: personalBase });
  const registration = await activeRegistration();
  const { pushManager } = registration;
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    // It has one for a key of before.
    const former = await pushManager.getSubscription();
    if (!former) throw error;
    await former.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  return { url: endpoint, p256dh, auth, name: browserName(navigator.userAgent) };
}

async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration(personalBase);
  if (!registration) throw new Error("The script of push was not registered");
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return registration;
  await new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
    });
  });
  return registration;
}
