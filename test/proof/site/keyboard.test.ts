import { beforeEach, expect, test } from "vitest";
import { arriveAtCheckout } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { focusMark, tabTo } from "../../support/browser/tab-to.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("a plan can be bought without a mouse", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/");
  await tabTo(page, page.getByRole("banner").getByRole("link", { name: "Early Access" }));
  await page.keyboard.press("Enter");
  await person.arrive("/signup");
  await tabTo(page, page.getByRole("button", { name: "Sign up with Google" }));
  await page.keyboard.press("Space");
  await page.locator("dialog:modal").waitFor();
  await page
    .getByRole("button", { name: "Continue with Google" })
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Choose a Google account" }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Customer One" }));
  await page.keyboard.press("Enter");

  await person.arrive("/signup");
  await page.locator("dialog:modal").waitFor();
  await page.getByRole("radio", { name: "Monthly" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("radio", { name: "Yearly", checked: true }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Subscribe Now" }));
  await page.keyboard.press("Enter");
  await arriveAtCheckout(page);
  await tabTo(page, page.getByRole("button", { name: "Pay and subscribe" }));
  // The countdown may end while somebody tabs: it leads nowhere until they have pressed.
  const dashboard = await person.hold("/dashboard.data");
  await page.keyboard.press("Enter");
  await person.arrive("/success");
  await tabTo(page, page.getByRole("link", { name: "Go to Dashboard" }));
  await page.keyboard.press("Enter");
  dashboard.release();
  await person.arrive("/dashboard");
  await page.getByText("Active", { exact: true }).waitFor();
  await tabTo(page, page.getByRole("listitem").getByRole("link", { name: "Invoices" }));
  await page.keyboard.press("Enter");
  await person.arrive("/dashboard/billing");
  await tabTo(page, page.getByRole("link", { name: /^PDF of invoice/ }));
});

const dialogs: readonly { name: string; open(person: OpenPage): Promise<void>; stops: string[] }[] =
  [
    {
      name: "sign-in",
      async open(person) {
        await person.visit("/signup");
        await person.page.getByRole("button", { name: "Sign up with Google" }).press("Enter");
      },
      stops: ["Continue with Google", "Close"],
    },
    {
      name: "plan",
      async open(person) {
        await person.signIn();
        await person.visit("/signup");
      },
      stops: ["Monthly", "The terms apply.", "Subscribe Now", "Close"],
    },
    {
      name: "checkout",
      async open(person) {
        await person.hold("/pricing.data");
        await person.visit("/pricing");
        await person.page.getByRole("button", { name: "Get started" }).first().press("Enter");
      },
      stops: ["Close"],
    },
    {
      name: "service",
      async open(person) {
        await person.visit("/services");
        await person.page.getByRole("button", { name: "Configure now" }).last().press("Enter");
      },
      stops: [
        "Update schedule",
        "Backup frequency",
        "Configure Service",
        "Sign up to make it real",
        "Close",
      ],
    },
    {
      name: "tool",
      async open(person) {
        await person.visit("/google-services");
        await person.page.getByRole("link", { name: /^Search/ }).press("Enter");
      },
      stops: ["Search", "Query", "Sign up to make it real", "Close"],
    },
    {
      name: "story",
      async open(person) {
        await person.visit("/spotlight");
        await person.page.getByRole("button", { name: "Learn more" }).first().press("Enter");
      },
      stops: ["Previous: SecureChat Pro", "Next: TeleMed Connect", "Close"],
    },
  ];

test.for(dialogs)("the $name dialog keeps focus inside", async ({ open, stops }) => {
  await using person = await openPage();
  const { page } = person;
  await open(person);
  await page.locator("dialog:modal").waitFor();
  const seen = new Set<string>();
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let press = 0; press < 2 * stops.length + 2; press++) {
      await page.keyboard.press(key);
      // Between the last stop and the first, focus is with the browser, not with the page behind.
      const stop = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return "browser";
        if (!focused.closest("dialog")) return `outside: ${focused.outerHTML}`;
        const field = focused instanceof HTMLInputElement || focused instanceof HTMLSelectElement;
        // A label's first words are its name; what follows explains it.
        const [of] = field ? (focused.labels ?? []) : [];
        const label =
          of && document.createTreeWalker(of, NodeFilter.SHOW_TEXT).nextNode()?.textContent;
        return focused.getAttribute("aria-label") ?? label ?? focused.textContent;
      });
      seen.add(stop?.replace(/\$.*$/, "").trim() ?? "");
    }
  }
  seen.delete("browser");
  expect([...seen].toSorted()).toEqual(stops.toSorted());
});

test("the way past the navigation comes first and leads to the content", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.visit("/pricing");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await skip.and(page.locator(":focus")).waitFor();
  expect(await focusMark(page)).toBe("visible");
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Get started" }).first());
});

test("the menu on a phone opens, leads on and closes by the keyboard", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 640 } });
  const { page } = person;
  await person.visit("/");
  const menu = page.getByRole("banner").locator("summary");
  await tabTo(page, menu);
  await page.keyboard.press("Enter");
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.waitFor();
  await page.keyboard.press("Escape");
  await navigation.waitFor({ state: "hidden" });
  await menu.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await tabTo(page, navigation.getByRole("link", { name: "Pricing" }));
  await page.keyboard.press("Enter");
  await person.arrive("/pricing");
  await navigation.waitFor({ state: "hidden" });
});
