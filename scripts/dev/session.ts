import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import type { FakeAddresses } from "../../fakes/addresses.ts";
import { fakeAddresses } from "../../fakes/addresses.ts";
import {
  defaultPortBase,
  localVariables,
  neededFakes,
  type Variables,
} from "../../fakes/dev-vars.ts";
import { type Fakes, startFakes } from "../../fakes/start-fakes.ts";
import { UnusableData } from "../../fakes/supabase/database/database.ts";
import { type Child, startNodeProgram } from "../lib/child.ts";
import { endWithNpm } from "../lib/end-with-npm.ts";
import { localFolder } from "../lib/local-folder.ts";
import { portFromEnvironment, requireFreePorts } from "../lib/ports.ts";
import { PlainFailure, step } from "../lib/terminal.mjs";
import { runSchedule } from "./schedule.ts";
import { isWorthShowing, startLog } from "./site-log.ts";

const readyWithinMs = 90_000;

export interface Session {
  siteUrl: string;
  sitePort: number;
  /** The folder of this session's data and generated files. */
  folder: string;
  variables: Variables;
  showLine(line: string): void;
  /** Starts a program that ends with the session. */
  startProgram: typeof startNodeProgram;
}

export interface SessionPlan {
  command: string;
  /** Whether everything is shown that the site prints. */
  isVerbose: boolean;
  defaultPort: number;
  /** Work before anything listens, such as the build. */
  prepare?(session: Session): Promise<void>;
  startSite(session: Session): Child;
}

/**
 * Runs the fakes and the site until Ctrl-C, and ends everything it started on every way out.
 * The process ends with 0 after Ctrl-C and with 1 after a failure.
 */
export async function runSession(plan: SessionPlan): Promise<never> {
  const children: Child[] = [];
  let fakes: Fakes | undefined;
  let endSchedule: (() => void) | undefined;

  async function endEverything(): Promise<void> {
    endSchedule?.();
    await Promise.all(children.map((child) => child.end()));
    await fakes?.close();
  }

  let ending = false;
  const endBySignal = () => {
    if (ending) process.exit(1);
    ending = true;
    process.stdout.write("\n");
    endEverything().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, endBySignal);
  endWithNpm(endBySignal);

  try {
    return await serve();
  } catch (error) {
    // Errors that ending the session causes are not shown.
    if (ending) return new Promise<never>(() => {});
    ending = true;
    const isPlain = error instanceof PlainFailure || error instanceof UnusableData;
    console.error(isPlain ? error.message : error);
    await endEverything();
    process.exit(1);
  }

  async function serve(): Promise<never> {
    const sitePort = portFromEnvironment("PORT", plan.defaultPort);
    const portBase = portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase);
    const siteUrl = `http://localhost:${sitePort}`;
    const variables = localVariables({ siteUrl, portBase });
    const addresses = fakeAddresses(portBase);
    const needed = neededFakes(variables, addresses);
    await requireFreePorts({
      command: plan.command,
      sitePort,
      portBase,
      fakePorts: (
        ["supabase", "google", "stripe", "mail", "turnstile", "internet", "alerts"] as const
      )
        .filter((name) => needed[name])
        .map((name) => addresses[name].port),
    });

    const writeLog = startLog(localFolder(portBase));
    const session: Session = {
      siteUrl,
      sitePort,
      folder: localFolder(portBase),
      variables,
      showLine: (line) => {
        writeLog(line);
        if (ending || !(plan.isVerbose || isWorthShowing(line))) return;
        console.log(process.stdout.isTTY ? line : stripVTControlCharacters(line));
      },
      startProgram: (script, options) => {
        if (ending) throw new PlainFailure("The session is ending.");
        const child = startNodeProgram(script, options);
        children.push(child);
        return child;
      },
    };
    await plan.prepare?.(session);
    fakes = await step("Starting the fakes for Supabase, Google, Stripe and mail", () =>
      startFakes({ variables, siteUrl, portBase, dataDirectory: session.folder }),
    );
    const site = await step("Starting the site", async () => {
      const child = plan.startSite(session);
      await untilReady(`${siteUrl}/healthz`, child);
      return child;
    });
    endSchedule = runSchedule(siteUrl);
    printAddresses(siteUrl, addresses, needed);
    const code = await site.exited;
    throw new PlainFailure(siteEnded(site, code));
  }
}

function siteEnded(site: Child, code: number | null): string {
  return `The site ended${code === null ? "" : ` with code ${code}`}:\n${site.lastLines().join("\n")}`;
}

async function untilReady(url: string, site: Child): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  let seen = "nothing";
  const ended = site.exited.then((code) => {
    throw new PlainFailure(siteEnded(site, code));
  });
  const answered = (async () => {
    while (performance.now() < deadline) {
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
        if (response.status === 200) return;
        seen = `${response.status} ${(await response.text()).slice(0, 2000)}`;
        if (response.status === 503) break;
      } catch {
        // Not listening yet.
      }
      await delay(100);
    }
    throw new PlainFailure(`${url} did not answer 200 but ${seen}\n${site.lastLines().join("\n")}`);
  })();
  await Promise.race([answered, ended]);
}

function printAddresses(siteUrl: string, addresses: FakeAddresses, needed: Fakes["running"]): void {
  const elsewhere = "configured elsewhere in .dev.vars";
  const rows = [
    ["Site", siteUrl],
    ["Mail inbox", addresses.mail.url],
    ["Alerts inbox", needed.alerts ? addresses.alerts.url : elsewhere],
    ["Stripe fake", needed.stripe ? addresses.stripe.url : elsewhere],
    ["Google fake", needed.google ? addresses.google.url : elsewhere],
  ].map(([name = "", value]) => `  ${name.padEnd(16)} ${value}`);
  console.log(`
${rows.join("\n")}

  Try a purchase: open ${siteUrl}/signup, sign up with Google,
  choose a plan, pay with 4242 4242 4242 4242.
  An account with months behind it: npm run seed, in another terminal.
  A server for it: download a deployment's files, then in another terminal
  npm run machine -- ~/Downloads/NAME-OF-THE-FILE.zip

  Ctrl-C ends everything.
`);
}
