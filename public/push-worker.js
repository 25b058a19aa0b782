// Shows what the console's alerts push to this browser, and opens what a notification is about. It keeps nothing and
// answers no request of pages. The message is made in app/features/servers/notifications/senders/push.server.ts.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const { title, body, tag, url, isUrgent } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      // A newer message about an incident takes the place of the older one, and sounds again where somebody is to act.
      renotify: isUrgent,
      requireInteraction: isUrgent,
      icon: "/icon-192.png",
      data: { url },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

function read(data) {
  const unread = {
    ...{ title: "Alerts: open the console", body: "", tag: "unread" },
    ...{ url: "/dashboard", isUrgent: true },
  };
  try {
    return { ...unread, ...data.json() };
  } catch {
    return unread;
  }
}

async function open(wanted) {
  const { origin } = self.location;
  const url = URL.parse(wanted ?? "/dashboard", origin);
  const address = url?.origin === origin ? url.href : `${origin}/dashboard`;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((each) => each.url === address);
  return page ? page.focus() : self.clients.openWindow(address);
}
