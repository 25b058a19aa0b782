import { beforeEach, expect, test } from "vitest";
import { stages } from "~/features/servers/state/state.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { scriptVariants } from "../../support/run/variants.ts";
import { enrolMachines } from "../../support/servers/connect-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { startWorkerWithoutBundles } from "../../support/site/worker-without-bundles.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const booted = Object.keys(stages).map((stage, at) => `stage\t${stage}\t${1_795_313_600 + at}`);

/** Somebody with a plan, a deployment and so many machines that introduced themselves. */
async function withMachines(person: OpenPage, count: number) {
  const owner = await person.signIn();
  await buy(owner, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  const machines = await enrolMachines(owner, deployment, count);
  return { owner, machines };
}

const servers = ({ page }: OpenPage) => page.getByRole("list", { name: "Servers" });

test.each(scriptVariants)(
  "the overview shows the first server, whose steps tick themselves up to the first participant, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { machines } = await withMachines(person, 1);
    const see = async (text: string) => {
      if (!javaScript) await page.getByRole("link", { name: "Refresh" }).click();
      await page.getByText(text).first().waitFor({ timeout: 20_000 });
    };
    await person.visit("/dashboard");
    await servers(person).getByText("Waiting for its first report").waitFor();
    await page.getByText("2 of 5").waitFor();
    await machines[0]?.report(1, booted.slice(0, 4));
    await see("Booting: images");
    const doctor = `doctor\t${Math.floor(Date.now() / 1_000)}`;
    await machines[0]?.report(2, [...booted, doctor, "metric\tparticipants\t0"]);
    await see("4 of 5");
    await servers(person).getByText("Healthy").waitFor();
    await page.getByText("1 server · nothing is wrong · 0 in calls").waitFor();
    await machines[0]?.report(3, [...booted, doctor, "metric\tparticipants\t3"]);
    await see("1 server · nothing is wrong · 3 in calls");
    await page.getByRole("heading", { name: "Your first server" }).waitFor({ state: "detached" });
    expect(await page.getByRole("heading", { name: "What is next" }).count()).toBe(0);
    await page
      .getByRole("img", { name: "At most 3 in calls in the last 24 hours", exact: true })
      .waitFor();
  },
);

test.each(scriptVariants)(
  "of many servers those with a fault come first, and a filter in the address narrows them, $script",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript });
    const { page } = person;
    const { machines } = await withMachines(person, 22);
    await machines[7]?.report(1, [
      "finding\tdisk.filling\twarning\t/\t85 %\t80 %",
      "doctor\t1795313600",
    ]);
    await machines[9]?.report(1, []);
    await person.visit("/dashboard");
    await page.getByText("22 servers · something is wrong with 1").waitFor();
    const first = servers(person).getByRole("listitem").first();
    await first.getByText("Degraded: The disk fills up").waitFor();
    await page.getByLabel("Name, label, deployment or state").fill("healthy");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect.poll(() => servers(person).getByRole("listitem").count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("q")).toBe("healthy");
    await page.getByLabel("Name, label, deployment or state").fill("");
    await page.getByLabel("Show", { exact: true }).selectOption("Something is wrong");
    await page.getByRole("button", { name: "Filter" }).click();
    await first.getByText("Degraded").waitFor();
    await page.getByLabel("Name, label, deployment or state").fill("nobody");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No server matches.").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await expect.poll(() => servers(person).getByRole("listitem").count()).toBe(22);
  },
);

test("while the servers cannot be read the overview says that they run, and shows the rest", async () => {
  await using worker = await startWorkerWithoutBundles();
  await using person = await openPage({ siteUrl: worker.url });
  await buy(await person.signIn(), "pro");
  await person.visit("/dashboard");
  const { page } = person;
  await page.getByText("Your servers cannot be read right now. They run as before.").waitFor();
  await page.getByText("Active", { exact: true }).waitFor();
});
