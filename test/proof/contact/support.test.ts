import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { storedMessages } from "../../support/contact/contact.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";
const message = "Doctor says that 3478/udp is closed. What do I open?";

beforeEach(resetFakes);

test.each([true, false])(
  "support is in the console, and its form knows who writes (script: %s)",
  async (javaScript) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await person.signIn(email);
    await storeDeployment(email, fullOptions());
    await person.visit("/dashboard");
    await page
      .getByRole("navigation", { name: "Console" })
      .getByRole("link", { name: "Support" })
      .click();
    await person.arrive("/dashboard/support");
    await page.getByText(email).first().waitFor();
    await page.getByLabel("About a deployment").selectOption("Production, v1");
    await page.getByRole("textbox", { name: "Message" }).fill(message);
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText(`A copy goes to ${email}.`).waitFor();
    await page.getByRole("listitem").getByText(message).waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe("");
    expect(await storedMessages()).toHaveLength(1);
  },
);

test("what was typed outlives another page and a reload, until it is sent", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  await person.visit("/dashboard/support");
  await page.getByRole("textbox", { name: "Message" }).fill(message);
  await person.visit("/dashboard");
  await person.visit("/dashboard/support");
  expect(await page.getByRole("textbox", { name: "Message" }).inputValue()).toBe(message);
  await page.getByRole("button", { name: "Send message" }).click();
  await page.getByText("We have your message.").waitFor();
  await page.getByRole("textbox", { name: "Message" }).fill("And another thing about it.");
  await page.reload();
  await expect
    .poll(() => page.getByRole("textbox", { name: "Message" }).inputValue())
    .toBe("And another thing about it.");
});

test.each(["light", "dark"] as const)(
  "axe finds nothing at Support with a message, and it fits, in the %s theme",
  async (theme) => {
    await using person = await openPage({ theme, reducedMotion: true });
    const { page } = person;
    await person.signIn(email);
    await storeDeployment(email, fullOptions());
    await person.visit("/dashboard/support");
    await page.getByRole("textbox", { name: "Message" }).fill(message);
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("We have your message.").waitFor();
    expect(await faultsOfPage(page)).toEqual([]);
  },
);
