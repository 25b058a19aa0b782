/** The options that files can say: the rest of a deployment is asked by the wizard. */
const takenOptions = [
  ...["extraDomains", "turn", "turnUdpPort", "mediaUdp", "rooms", "limits", "redis"],
  ...["webhooks", "ingress", "whipDomain", "recording", "sip"],
];

/** The posted options, of which nothing is checked but their names; undefined where they are no object. */
export function postedOptions(text: string | null): Record<string, unknown> | undefined {
  let posted: unknown;
  try {
    posted = JSON.parse(text ?? "");
  } catch {
    return;
  }
  if (typeof posted !== "object" || posted === null || Array.isArray(posted)) return;
  return Object.fromEntries(
    Object.entries(posted).filter(([option]) => takenOptions.includes(option)),
  );
}
