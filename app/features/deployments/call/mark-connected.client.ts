/** Marks the step "Connect" of a version as done, at the deployment's page. A mark that fails can be made by hand. */
export function markConnected(page: string, version: number): void {
  const fields = { intent: "progress", step: "connect", done: "yes", version: String(version) };
  void fetch(page, {
    method: "POST",
    body: new URLSearchParams(fields),
    // The answer leads to the deployment's page, which nobody needs here.
    redirect: "manual",
    keepalive: true,
  }).catch(() => undefined);
}
