/** Cloudflare's cron starts the Worker once a minute; here it is less, so that a mail is soon in the inbox. */
const everyMs = 10_000;

/** Starts the Worker's scheduled work at intervals, as wrangler.toml asks of Cloudflare. Answers how to end it. */
export function runSchedule(siteUrl: string): () => void {
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    try {
      // Miniflare's own address: no route of the site.
      const response = await fetch(`${siteUrl}/cdn-cgi/handler/scheduled`);
      await response.body?.cancel();
    } catch {
      // The site is starting anew or ending: the next time comes.
    } finally {
      running = false;
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
