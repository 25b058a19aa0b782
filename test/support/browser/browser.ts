import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import { randomAddress } from "../site/network-address.ts";
import * as siteModule from "../site/own-site.ts";
import { Visitor } from "../site/visitor.ts";
import { type Problem, watchForProblems } from "./page-problems.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // No name server is asked: the names of other sites lead nowhere.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE servers.localhost, EXCLUDE 127.0.0.1",
];

const timeoutMs = 90_000;

export type PageOptions = {
  /** Another site than the file's own. */
  siteUrl?: string;
  javaScript?: boolean;
  viewport?: { width: number; height: number };
  /** Pixels of the screen for each of CSS, in both directions: 1 without it. */
  scale?: number;
  /** The choice kept in the browser; without it the system's theme decides. */
  theme?: "light" | "dark";
  systemTheme?: "light" | "dark";
  reducedMotion?: boolean;
  /** An IANA name; without one it is the machine's. */
  timeZone?: string;
  /** Flags for a Chromium of the window's own, which ends with it and takes any certificate. */
  flags?: readonly string[];
  /** With flags: a certificate that the browser does not know is refused, as everywhere. */
  checksCertificates?: boolean;
  /** The browser of the window's own, if not the one of all tests. */
  executable?: string;
};

/** One person at one browser window, with cookies and a network address of their own. */
export type OpenPage = AsyncDisposable & {
  page: Page;
  /** Goes to a path of the site and waits until the page works. */
  visit(path: string): Promise<void>;
  /** Waits until the browser is at a path of the site, by whatever way, and the page works. */
  arrive(path: string): Promise<void>;
  /** Keeps requests to a path of the site on their way until `release` is called. */
  hold(path: string | RegExp): Promise<{ release(): void }>;
  /** Says that a problem belongs to the test. It must then happen. */
  expectProblem(problem: Problem): void;
  /** A problem that may come or not. */
  allowProblem(problem: Problem): void;
  /** Signs in without walking through the screens. */
  signIn(email?: string): Promise<Visitor>;
};

let launched: Promise<Browser> | undefined;

function launch(more: readonly string[], executablePath = inject("chromium")): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}

/** One Chromium for all files that run in this process; it ends with it. One that died is replaced. */
async function sharedBrowser(): Promise<Browser> {
  launched ??= launch([]);
  const browser = await launched;
  browser.once("disconnected", () => {
    launched = undefined;
  });
  return browser;
}

/**
 * Opens a window of a person's own. Whatever goes wrong in it (an error on the console, a broken
 * policy, a failed request to our site) fails the test when it is disposed of.
 */
export async function openPage(options: PageOptions = {}): Promise<OpenPage> {
  const { siteUrl = siteModule.siteUrl, javaScript = true, theme } = options;
  const { viewport = { width: 1280, height: 800 } } = options;
  const { flags: more = [], executable } = options;
  const separate = options.flags || executable ? await launch(more, executable) : undefined;
  const browser = separate ?? (await sharedBrowser());
  const context = await browser.newContext({
    baseURL: siteUrl,
    javaScriptEnabled: javaScript,
    viewport,
    deviceScaleFactor: options.scale ?? 1,
    colorScheme: options.systemTheme ?? "light",
    reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
    ...(options.timeZone ? { timezoneId: options.timeZone } : {}),
    ...(separate && !options.checksCertificates ? { ignoreHTTPSErrors: true } : {}),
    // Rate limits count addresses: nobody shares one.
    extraHTTPHeaders: { "cf-connecting-ip": randomAddress() },
    ...(theme ? { storageState: storedTheme(siteUrl, theme) } : {}),
  });
  context.setDefaultTimeout(timeoutMs);
  const problems = watchForProblems(context, siteUrl, { javaScript });
  const page = await context.newPage();

  const works = async () => {
    if (javaScript) await page.waitForFunction(showsItsAddress);
  };

  return {
    page,
    async visit(path) {
      await page.goto(path);
      await works();
    },
    async arrive(path) {
      await page.waitForURL((url) => url.origin === siteUrl && url.pathname === path);
      await works();
    },
    async hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route(
        ({ origin, pathname }) =>
          origin === siteUrl && (path instanceof RegExp ? path.test(pathname) : pathname === path),
        async (route) => {
          await promise;
          await route.continue();
        },
      );
      return { release: resolve };
    },
    expectProblem: problems.expect,
    allowProblem: problems.allow,
    async signIn(email) {
      const visitor = new Visitor(siteUrl);
      await visitor.signInWithGoogle(email);
      const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: siteUrl }));
      await context.addCookies(cookies);
      return visitor;
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await separate?.close();
      problems.failIfAny();
    },
  };
}

type Fiber = {
  child: Fiber | null;
  memoizedProps?: { value?: { location?: { pathname: string } } } | null;
  memoizedState?: { isDehydrated?: boolean } | null;
};

/**
 * Whether React has taken the page over and shows what the address names. A press before that is a
 * plain form post or link, and a step inside the site changes the address before the page. A page
 * that only reads has no React: its own script has run when it is loaded.
 */
function showsItsAddress(): boolean {
  if (document.readyState === "complete" && !("__reactRouterContext" in window)) return true;
  const [, container]: [string, { stateNode: { current: Fiber } }?] = Object.entries(document).find(
    ([key]) => key.startsWith("__reactContainer$"),
  ) ?? [""];
  const root = container?.stateNode.current;
  if (!root || root.memoizedState?.isDehydrated) return false;
  for (let fiber: Fiber | null = root; fiber; fiber = fiber.child) {
    const rendered = fiber.memoizedProps?.value?.location;
    if (rendered) return rendered.pathname === location.pathname;
  }
  return false;
}

function storedTheme(
  origin: string,
  theme: "light" | "dark",
): BrowserContextOptions["storageState"] {
  const localStorage = [{ name: "darkMode", value: String(theme === "dark") }];
  return { cookies: [], origins: [{ origin, localStorage }] };
}
