/**
 * Calls `end` when npm is ended: npm then ends its shell, but the script that the shell runs gets no signal. So the
 * script watches its parent process.
 */
export function endWithNpm(end: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    end();
  }, 500);
  timer.unref();
}
