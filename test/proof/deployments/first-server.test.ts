import { beforeEach, expect, test } from "vitest";
import { buy } from "../../support/billing/hosted-pages.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { database } from "../../support/database/database.ts";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes, resolverRequests, steerInternet } from "../../support/site/control-fakes.ts";

const address = "198.41.0.4";
const domain = "live.mycompany.com";

beforeEach(resetFakes);

async function customerAtOverview(person: OpenPage): Promise<void> {
  await buy(await person.signIn(), "basic");
  await person.visit("/dashboard");
}

async function createServer({ page }: OpenPage): Promise<string> {
  await page.getByLabel("Domain").fill(domain);
  await page.getByRole("button", { name: "Create with good defaults" }).click();
  await page.getByText("about 20 min · 1 of 5").waitFor();
  const { data } = await database.from("deployments").select("id").single().throwOnError();
  return data.id;
}

const scripts = [{ javaScript: true }, { javaScript: false }];

test("what is typed for the first server survives a closed tab, and is warned of", async () => {
  await using person = await openPage();
  const { page } = person;
  await steerInternet({ name: domain, A: ["198.41.0.9"] });
  await customerAtOverview(person);
  await page.getByLabel("Cloud").selectOption("Hetzner");
  await page.getByLabel("Region").selectOption("EU West");
  await page.getByLabel("Domain").fill(domain);
  await page.getByText(`${domain} already leads to 198.41.0.9`).waitFor();
  const another = await page.context().newPage();
  await page.close();
  await another.goto("/dashboard");
  await another.getByRole("button", { name: "Create with good defaults" }).waitFor();
  const values = ["Domain", "Cloud", "Region", "Size"].map((label) =>
    another.getByLabel(label).inputValue(),
  );
  expect(await Promise.all(values)).toEqual([domain, "hetzner", "eu-west", "medium"]);
});

test.each(scripts)(
  "what is typed for the first server goes along to all options, with script: $javaScript",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await customerAtOverview(person);
    await page.getByLabel("Domain").fill(domain);
    await page.getByLabel("Cloud").selectOption("Hetzner");
    await page.getByRole("button", { name: "or go through all options" }).click();
    await page.getByRole("heading", { level: 1, name: "New deployment" }).waitFor();
    expect(await page.getByLabel("Domain").inputValue()).toBe(domain);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Your first server" }).waitFor();
    expect(await page.getByLabel("Cloud").inputValue()).toBe("hetzner");
    await page.getByRole("button", { name: "or go through all options" }).click();
    await page.getByRole("button", { name: "Create deployment" }).click();
    await page.waitForURL("**/edit?*");
    const { data } = await database.from("deployments").select("options").single();
    expect(data?.options).toMatchObject({ domain, provider: "hetzner" });
  },
);

test("the first server begins with the choices of the services page, and what is left out is said", async () => {
  await using person = await openPage();
  const { page } = person;
  await customerAtOverview(person);
  await page.evaluate(() =>
    localStorage.setItem(
      "deploymentDraft",
      '{"provider":"Azure","region":"EU West","firewallPreset":"Strict","monitoring":"Advanced"}',
    ),
  );
  await person.visit("/dashboard");
  await expect.poll(() => page.getByLabel("Cloud").inputValue()).toBe("azure");
  expect(await page.getByLabel("Region").inputValue()).toBe("eu-west");
  await createServer(person);
  await page.getByText(/^Your choices are filled in, without .*: that is part of Pro\.$/).waitFor();
  await page.getByText("Still to say: your networks for the firewall (step Network).").waitFor();
  const { data } = await database.from("deployments").select("options").single();
  expect(data?.options).toMatchObject({ domain, provider: "azure", region: "eu-west" });
});

test("one pasted address fills every row, and each value is copied with one press", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await customerAtOverview(person);
  await createServer(person);
  await page.getByLabel("IPv4 address of the server").fill(` ${address}/32 `);
  await page.getByRole("button", { name: "Save the address" }).click();
  await page.getByText("about 20 min · 2 of 5").waitFor();
  const copied = async (name: string) => {
    await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
    await page.getByRole("status").getByText("Copied").first().waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied(`the value of A turn.${domain}`)).toBe(address);
  expect(await copied(`turn.${domain}`)).toBe(`turn.${domain}`);
  expect(await copied("the command that runs the doctor")).toBe(
    `ssh -i ~/.ssh/MY_KEY.pem ubuntu@${address} 'cloud-init status --wait; sudo livekit-deploy doctor'`,
  );
  expect(await copied("the server's address for apps")).toBe(`LIVEKIT_URL=wss://${domain}`);
  expect(await copied("the command that creates the VM")).toContain(
    "KEY_NAME=MY_KEY sh create-vm.sh",
  );
  await page.getByText("Your key, and the address", { exact: true }).click();
  await page.getByLabel("Name of your SSH key at the provider").fill("Ann's key");
  await page.reload();
  expect(await copied("the command that creates the VM")).toContain(
    "KEY_NAME='Ann'\\''s key' sh create-vm.sh",
  );
  expect(await copied("the command that runs the doctor")).toContain(
    `ssh -i ~/.ssh/'Ann'\\''s key'.pem ubuntu@${address}`,
  );
});

test("the page looks again every 30 seconds while it is seen, ticks by itself, and stops", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await customerAtOverview(person);
  const id = await createServer(person);
  const requests = async () =>
    (await resolverRequests()).filter(
      (request) => request.includes(`name=${domain}&type=A`) && !request.includes("AAAA"),
    ).length;
  // A domain that is new is looked up once.
  const first = await requests();
  const lookups = async () => (await requests()) - first;
  await page.getByLabel("IPv4 address of the server").fill(address);
  await page.getByRole("button", { name: "Save the address" }).click();
  await page.getByText("Not there yet").first().waitFor();
  expect(await lookups()).toBe(1);
  await page.clock.runFor(20_000);
  expect(await lookups()).toBe(1);
  for (const name of [domain, `turn.${domain}`]) await steerInternet({ name, A: [address] });
  await page.clock.runFor(11_000);
  await page.getByText("about 20 min · 3 of 5").waitFor();
  expect(await lookups()).toBe(2);
  await steerInternet({ server: domain, answers: "livekit" });
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await page.clock.runFor(31_000);
  await answered;
  await page.getByText(`https://${domain} answers: LiveKit runs.`).waitFor({ state: "attached" });
  expect(await lookups()).toBe(3);
  await page.clock.runFor(120_000);
  expect(await lookups()).toBe(3);
  expect(Object.keys(Object((await storedDeployment(id)).ticks)).toSorted()).toEqual([
    "answer",
    "dns",
    "machine",
  ]);
});

test("a browser that has much to do asks once, and not again at once", async () => {
  await using person = await openPage();
  const { page } = person;
  // What React puts off comes after timers that are due.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
      setTimeout(() => post.call(this, message), 100);
    };
  });
  await customerAtOverview(person);
  await createServer(person);
  await page.getByLabel("IPv4 address of the server").fill(address);
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.postData() ?? "");
  });
  await page.getByRole("button", { name: "Save the address" }).click();
  await page.getByText("Not there yet").first().waitFor();
  // Another post of this page comes after all that it has asked for by then.
  await page.getByRole("button", { name: "Mark as done: Doctor passed" }).click();
  await page.getByRole("button", { name: "Mark as not done: Doctor passed" }).waitFor();
  expect(posts.filter((body) => body.includes("intent=look"))).toHaveLength(1);
});

test.each(scripts)(
  "a refused address and a look that somebody asks for are answered where they were asked, with script: $javaScript",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    await customerAtOverview(person);
    const here = `/dashboard/deployments/${await createServer(person)}`;
    // Without script a form leads to the page that answers it.
    const answering = javaScript ? "/dashboard" : here;
    const path = () => new URL(page.url()).pathname;
    person.expectProblem(`400 POST ${here}${javaScript ? ".data" : ""}`);
    await page.getByLabel("IPv4 address of the server").fill("10.0.0.5");
    await page.getByRole("button", { name: "Save the address" }).click();
    await page.getByText("10.0.0.5 is not a public address").waitFor();
    expect(path()).toBe(answering);
    expect(await page.getByLabel("IPv4 address of the server").inputValue()).toBe("10.0.0.5");
    await page.getByLabel("IPv4 address of the server").fill(address);
    await page.getByRole("button", { name: "Save the address" }).click();
    if (javaScript) await page.getByText("Not there yet").first().waitFor();
    await steerInternet({ name: domain, A: [address, "127.0.0.1"] });
    await page.getByRole("button", { name: "Look now" }).click();
    await page.getByText("Points elsewhere: 127.0.0.1").waitFor({ timeout: 25_000 });
    expect(path()).toBe(answering);
    const looksAgain = page.getByText("This page looks again every 30 seconds");
    if (javaScript) await looksAgain.waitFor();
    else expect(await looksAgain.isVisible()).toBe(false);
    await person.visit(here);
    if (javaScript) await page.getByText("Points elsewhere: 127.0.0.1").waitFor();
    await steerInternet({ name: domain, A: ["127.0.0.2"] });
    await page.getByRole("button", { name: "Look now" }).click();
    await page.getByText("Points elsewhere: 127.0.0.2").waitFor({ timeout: 25_000 });
    expect(path()).toBe(here);
  },
);

test("once all is done the overview is the servers in short", async () => {
  await using person = await openPage();
  const { page } = person;
  await customerAtOverview(person);
  await createServer(person);
  await page.getByLabel("IPv4 address of the server").fill(address);
  await page.getByRole("button", { name: "Save the address" }).click();
  await page.getByText("about 20 min · 2 of 5").waitFor();
  for (const step of ["DNS set", "Doctor passed", "App connected"]) {
    await page.getByRole("button", { name: `Mark as done: ${step}` }).click();
    await page
      .getByRole("button", { name: `Mark as not done: ${step}` })
      .or(page.getByRole("heading", { name: "Your servers" }))
      .waitFor();
  }
  await page.getByRole("heading", { name: "Your servers" }).waitFor();
  await page.getByText(domain).waitFor();
});

test.each([
  [320, "light"],
  [768, "dark"],
  [1280, "light"],
] as const)(
  "axe finds nothing at %i px in the %s theme, and everything fits",
  async (width, theme) => {
    await using person = await openPage({
      viewport: { width, height: 800 },
      theme,
      reducedMotion: true,
    });
    const { page } = person;
    await customerAtOverview(person);
    expect(await faultsOfPage(page)).toEqual([]);
    await createServer(person);
    await page.getByLabel("IPv4 address of the server").fill(address);
    await page.getByRole("button", { name: "Save the address" }).click();
    await page.getByText("Not there yet").first().waitFor();
    expect(await faultsOfPage(page)).toEqual([]);
  },
);
