/** Tells a monitor that the Worker runs and is configured; asks nobody else. */
export function loader() {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
