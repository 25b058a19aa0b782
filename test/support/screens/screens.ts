import { afterAll, beforeAll } from "vitest";
import { buy } from "../billing/hosted-pages.ts";
import { startSiteWithoutFleets } from "../servers/site-without-fleets.ts";
import { resetFakes, stripeControl } from "../site/control-fakes.ts";
import { Visitor } from "../site/visitor.ts";
import { alarmScreens } from "./alarm-screens.ts";
import { connectionTestScreens, prepareTests, type TestState } from "./connection-test-screens.ts";
import { type ConsoleState, consoleScreens } from "./console-screens.ts";
import { prepareConsole } from "./prepare-console.ts";
import { prepareFleets } from "./prepare-fleets.ts";
import { prepareWorkspaces, signedUpByMail, type WorkspaceState } from "./prepare-workspaces.ts";
import { owner, type Screen } from "./screen.ts";
import { type ServerState, serverScreens } from "./server-screens.ts";
import { brokenCheckout, siteScreens } from "./site-screens.ts";
import { workspaceScreens } from "./workspace-screens.ts";

/** Fleets are dozens of machines whose past is told call by call, beside other files that do the same. */
const preparationMs = 900_000;

const areas = ["site", "console", "servers"] as const;

/** A part of the product. What its screens show is prepared together. */
type Area = (typeof areas)[number];

/** A checkout that was not paid, by its id, beside one that Stripe fails to look up. */
async function prepareCheckouts(): Promise<string> {
  const start = await new Visitor().post("/pricing", { plan: "basic" });
  await stripeControl("faults", {
    mode: "error500",
    match: `/v1/checkout/sessions/${brokenCheckout}`,
  });
  return start.headers.get("location")?.split("/").at(-1) ?? "";
}

/**
 * Every screen of some areas, with its dialogs open; without areas of all. They share one state, which opening them
 * does not change: people with a plan, a person without one, and a checkout that was not paid.
 */
export function prepareScreens(...of: readonly Area[]): readonly Screen[] {
  const included = new Set<Area>(of.length > 0 ? of : areas);
  const ending = new AsyncDisposableStack();
  let unpaid = "";
  let consoleState: (ConsoleState & WorkspaceState & TestState) | undefined;
  let serverState: ServerState | undefined;

  beforeAll(async () => {
    await resetFakes();
    const buyer = new Visitor();
    await buyer.signInWithGoogle(owner);
    await buy(buyer, "pro");
    if (included.has("console")) {
      const shown = await prepareConsole(buyer);
      consoleState = { ...shown, tests: await prepareTests(), ...(await prepareWorkspaces()) };
    }
    if (included.has("servers")) {
      const fleets = await prepareFleets(signedUpByMail);
      serverState = { fleets, unreached: ending.use(await startSiteWithoutFleets()).url };
    }
    if (included.has("site")) unpaid = await prepareCheckouts();
  }, preparationMs);

  afterAll(() => ending.disposeAsync());

  const ofConsole = () => stateOf(consoleState);
  const ofServers = () => stateOf(serverState);
  const screens: Record<Area, readonly Screen[]> = {
    site: siteScreens(() => unpaid),
    console: [
      ...consoleScreens(ofConsole),
      ...connectionTestScreens(ofConsole),
      ...workspaceScreens(ofConsole),
    ],
    servers: [...serverScreens(ofServers), ...alarmScreens(ofServers)],
  };
  return areas.filter((area) => included.has(area)).flatMap((area) => screens[area]);
}

function stateOf<State>(state: State | undefined): State {
  if (!state) throw new Error("The screens were not prepared");
  return state;
}
