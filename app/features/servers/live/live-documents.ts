/**
 * The documents whose content policy allows the socket of the fleet: the console, in which the router shows the pages of
 * servers. The test call is left out: its policy names the customer's own server alone.
 */
export function mayConnect(path: string): boolean {
  return /^\/dashboard(\/|$)/.test(path) && !path.endsWith("/call");
}
