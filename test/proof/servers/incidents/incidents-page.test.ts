import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../../support/billing/store-plan.ts";
import { faultsOfPage } from "../../../support/browser/axe.ts";
import { openPage } from "../../../support/browser/browser.ts";
import { fullOptions, storeDeployment } from "../../../support/deployments/deployments.ts";
import { scriptVariants } from "../../../support/run/variants.ts";
import { enrolMachines } from "../../../support/servers/connect-server.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";

beforeEach(resetFakes);

const email = "customer.one@example.com";
const critical = "finding\tport.silent\tcritical\t3478/udp\tsilent\tan answer";
const warning = "finding\tdisk.filling\twarning\t/\t85 %\t80 %";
const version = (of: string) => `service\tlivekit\tlivekit/livekit-server:${of}\trunning\t`;

test.each(scriptVariants)(
  "who is on call finds the incident, narrows the list and reads what to send afterwards, $script (M10)",
  async ({ javaScript }) => {
    await using person = await openPage({ javaScript, reducedMotion: true });
    const { page } = person;
    const owner = await person.signIn(email);
    await storePlan(email, "pro");
    const deployment = await storeDeployment(email, fullOptions());
    const [one, two] = await enrolMachines(owner, deployment, 2);
    await one?.report(1, [version("v1.13.11"), "metric\tparticipants\t12"]);
    await one?.report(2, [version("v1.13.12"), "metric\tparticipants\t12"]);
    await one?.report(3, [version("v1.13.12"), critical]);
    await two?.report(1, [warning, "metric\tparticipants\t3"]);

    await person.visit("/dashboard");
    const navigation = page.getByRole("navigation", { name: "Console" });
    await navigation.getByRole("link", { name: "Incidents" }).click();
    const list = page.getByRole("list", { name: "Incidents" });
    const lines = list.getByRole("listitem");
    await list.getByText("12 in calls when it began").waitFor();
    expect(await lines.count()).toBe(2);
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);

    await page.getByLabel("Severity").selectOption({ label: "Told at once" });
    await page.getByLabel("Server", { exact: true }).fill("SFU-1");
    await page.getByLabel("Server", { exact: true }).press("Enter");
    await expect.poll(() => lines.count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("severity")).toBe("page");

    await list.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await page
      .getByRole("heading", { level: 1, name: "Nobody listens on a public port" })
      .waitFor();
    await page.getByText("Updated livekit from v1.13.11 to v1.13.12").first().waitFor();
    await page.getByText("What we do so that it does not happen again").waitFor();
    const way = page.getByRole("navigation", { name: "Breadcrumbs" });
    expect(await way.getByRole("link").allInnerTexts()).toEqual(["Incidents", "sfu-1"]);
    if (javaScript) expect(await faultsOfPage(page)).toEqual([]);
    await page.getByRole("link", { name: "The figures of sfu-1" }).click();
    await page.getByRole("heading", { name: "Figures" }).waitFor();
  },
);
