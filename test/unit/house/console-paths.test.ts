import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { consoleBase, personalPages } from "~/ui/console/console-path";

/** Where addresses of the console are written whole: what leads into it does not know which workspace is meant. */
const outside = [
  "app/features/account/sign-in/",
  "app/features/auth/",
  "app/features/billing/checkout/plan-dialog.tsx",
  "app/features/billing/mails/mail-words.ts",
  "app/features/deployments/draft/service-dialog.tsx",
  "app/features/servers/notifications/senders/",
  "app/features/workspaces/",
  "app/routes.ts",
  "app/routes/action-rules.server.ts",
  "app/routes/auth/",
  "app/routes/checkout/",
  "app/routes/dashboard/account-code.tsx",
  "app/routes/dashboard/layout.tsx",
  "app/routes/guard-actions.server.ts",
  "app/routes/marketing/",
  "app/routes/site-files/",
  "app/routes/workspaces/",
  "app/ui/chrome/",
  "app/ui/console/console-path.ts",
];

test("a page of the console names others by what its own address begins with", () => {
  const written = globSync("app/**/*.{ts,tsx}")
    .filter((file) => !outside.some((each) => file.startsWith(each)))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/["'`}](\/dashboard[^"'`?#$\n]*)/g)].map(
        ([, address = ""]) => ({ file, address }),
      ),
    );
  const personal: readonly string[] = personalPages;
  expect(written.filter(({ address }) => !personal.includes(address))).toEqual([]);
  expect(written).toContainEqual({
    file: "app/ui/console/account-menu.tsx",
    address: "/dashboard/account",
  });
});

test("the console's addresses begin with the workspace that the present one names", () => {
  expect(consoleBase("/dashboard")).toBe("/dashboard");
  expect(consoleBase("/dashboard/deployments/new?from=overview")).toBe("/dashboard");
  expect(consoleBase("/pricing?back=/dashboard/w/blue-team")).toBe("/dashboard");
  expect(consoleBase("/dashboard/w/blue-team")).toBe("/dashboard/w/blue-team");
  expect(consoleBase("https://deploy.example.com/dashboard/w/blue-team/plan.data?to=pro")).toBe(
    "/dashboard/w/blue-team",
  );
  expect(consoleBase("https://deploy.example.com/dashboard/w/blue-team.data")).toBe(
    "/dashboard/w/blue-team",
  );
});
