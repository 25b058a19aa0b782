import { beforeAll, expect, test } from "vitest";
import { stepIds } from "../../../app/features/deployments/wizard/steps.ts";
import { newTokenOf, report, reportOf, saveVersions } from "../../support/agents/agent.ts";
import { buy } from "../../support/billing/hosted-pages.ts";
import { desktop } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { userIdOf } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const tallest = 3 * desktop.height;
let deployment = "";

/** Only who owes a second factor sees the page that asks for it, and nothing of one's own is at "*". */
const seenByOthers = ["/dashboard/account/code", "/dashboard/*"];

const screens = siteRoutes()
  .filter(({ file }) => /^routes\/(dashboard|deployments)\/.*\.tsx$/.test(file))
  .map(({ path }) => path)
  .filter((path) => path.startsWith("/dashboard") && !seenByOthers.includes(path))
  .flatMap((path) =>
    path.endsWith("/edit") ? stepIds.map((step) => `${path}?step=${step}`) : [path],
  );

beforeAll(async () => {
  await resetFakes();
  const customer = new Visitor();
  await customer.signInWithGoogle(email);
  await buy(customer, "pro");
  const changed = { ...fullOptions(), size: "large", updates: "weekly" } as const;
  deployment = await storeDeployment(email, fullOptions());
  await storeVersion(email, deployment, changed, 1);
  for (const name of ["Staging", "Rehearsal"]) await storeDeployment(email, fullOptions(), name);
  await saveVersions(await userIdOf(email), 3);
  for (const name of ["Ada", "Grace", "Edsger"]) {
    await report(await newTokenOf(customer, name), reportOf("event", name));
    const message = `Which port does the room of ${name} need?`;
    await customer.post("/dashboard/support", { topic: "support", deployment, message });
  }
});

test.for([...new Set(screens)])(
  "%s is at most three screens tall, or has a navigation of its own",
  async (path) => {
    await using person = await openPage({ viewport: desktop });
    const { page } = person;
    await person.signIn(email);
    await person.visit(path.replace(":id", deployment));
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const navigation = page.getByRole("navigation", { name: /^(On this page|Steps)$/ });
    expect({ height, isShort: height <= tallest || (await navigation.isVisible()) }).toEqual({
      height,
      isShort: true,
    });
  },
);
