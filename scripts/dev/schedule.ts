/** Cloudflare's cron starts the Worker once a minute. Here the interval is shorter, so that mails arrive soon. */
const everyMs = 10_000;

/**
 * Starts the Worker's scheduled work at intervals, as Cloudflare does by wrangler.toml. Returns a function that stops
 * it.
 */
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
      // The site is restarting or ending. The next run tries again.
    } finally {
      running = false;
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
