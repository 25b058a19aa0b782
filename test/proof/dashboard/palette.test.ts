import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";

/** Opens the palette by its keys once it is not open any more, and answers its field and what is chosen in its list. */
async function openPalette({ page }: OpenPage) {
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("ControlOrMeta+k");
  const palette = page.getByRole("dialog");
  const field = palette.getByRole("combobox", { name: /^Go to a page/ });
  await field.and(page.locator(":focus")).waitFor();
  return { field, chosen: palette.getByRole("option", { selected: true }) };
}

test("the command palette does what is not a page: a new deployment, the theme, signing out", async () => {
  await using person = await openPage({ theme: "light" });
  const { page } = person;
  await person.signIn(email);
  await person.visit("/dashboard/account");
  await openPalette(person);
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await page.locator("html.dark").waitFor();
  await openPalette(person);
  await page.keyboard.type("new depl");
  await page.keyboard.press("Enter");
  await person.arrive("/dashboard/deployments/new");
  await openPalette(person);
  await page.keyboard.type("sign out");
  await page.keyboard.press("Enter");
  await person.arrive("/");
  await person.visit("/dashboard");
  await person.arrive("/signin");
});

test("the command palette and the names in it are loaded when it is opened, and it works without the names", async () => {
  await using person = await openPage();
  const { page } = person;
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await person.signIn(email);
  await person.visit("/dashboard");
  expect(paths.filter((path) => /palette\.client|names|search-index/.test(path))).toEqual([]);
  person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
  await page.route("**/deployments/names?*", (route) => route.abort("internetdisconnected"));
  await openPalette(person);
  await page.getByText("Your deployments cannot be read right now.").waitFor();
  await page.keyboard.type("usage");
  await page.keyboard.press("Enter");
  await person.arrive("/dashboard/usage");
});

test("the command palette leads to a server by its name, with what it is like beside it (M12)", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  await person.visit("/dashboard/usage");
  const id = "33333333-3333-4333-8333-333333333333";
  const names = {
    deployments: [],
    servers: [{ id, name: "m-cer", state: "Degraded: A certificate ends within three days" }],
  };
  await page.route("**/deployments/names?*", (route) => route.fulfill({ json: names }));
  person.expectProblem("404 GET");
  const { chosen } = await openPalette(person);
  await page.keyboard.type("m-cer");
  await chosen.getByText("Degraded: A certificate ends within three days").waitFor();
  await page.keyboard.press("Enter");
  await person.arrive(`/dashboard/servers/${id}`);
});

test.each([
  ["a Mac", "Macintosh; Intel Mac OS X 10_15_7", "⌘K", "Meta+k", "Control+k"],
  ["Windows", "Windows NT 10.0; Win64; x64", "Ctrl K", "Control+k", "Meta+k"],
])(
  "on %s the command palette takes its own key, names it, and leaves the other to the browser",
  async (_, system, label, shortcut, other) => {
    await using person = await openPage();
    const { page } = person;
    await page.addInitScript((userAgent) => {
      Object.defineProperty(navigator, "userAgent", { get: () => userAgent });
    }, `Mozilla/5.0 (${system}) AppleWebKit/537.36`);
    await person.signIn(email);
    await person.visit("/dashboard");
    const button = page.getByRole("button", { name: "Go to…" });
    await button.getByText(label, { exact: true }).waitFor();
    await page.evaluate(() => {
      document.addEventListener("keydown", (event) => {
        document.body.dataset.taken = String(event.defaultPrevented);
      });
    });
    await page.keyboard.press(other);
    expect(await page.locator("body").getAttribute("data-taken")).toBe("false");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.keyboard.press(shortcut);
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    expect(await page.locator("body").getAttribute("data-taken")).toBe("true");
  },
);

test("without script nothing of the command palette shows", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn(email);
  await person.visit("/dashboard");
  await page.getByRole("navigation", { name: "Console" }).waitFor();
  expect(await page.getByText("Go to…").isVisible()).toBe(false);
});
