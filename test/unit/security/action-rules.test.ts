import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { accountRequests } from "../../../app/features/account/settings/account-request.server.ts";
import { signInRequest } from "../../../app/features/account/sign-in/sign-in-request.server.ts";
import {
  type ActionRule,
  actionRules,
  type IntentRules,
} from "../../../app/routes/action-rules.server.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";

const isAction = /export (?:async )?function action|export const action/;
const withActions = siteRoutes().filter(({ file }) =>
  isAction.test(readFileSync(`app/${file}`, "utf8")),
);

/** Every rule, named by its route and its intent. */
const rules: [string, ActionRule][] = Object.entries(actionRules).flatMap(([path, rule]) =>
  "who" in rule
    ? [[path, rule] as [string, ActionRule]]
    : [
        ...Object.entries(rule.intents).map(([intent, one]): [string, ActionRule] => [
          `${path} ${intent}`,
          one,
        ]),
        [`${path} (unlisted)`, rule.unlisted] as [string, ActionRule],
      ],
);

function intentsOf(path: string): string[] {
  return Object.keys((actionRules[path] as IntentRules).intents);
}

test("every action of every route has a row in the table, and every row an action", () => {
  expect(withActions.length).toBeGreaterThan(20);
  expect(Object.keys(actionRules).toSorted()).toEqual(
    withActions.map(({ path }) => path).toSorted(),
  );
});

const namesNobody = ({ who }: ActionRule) => who === "anyone" || who === "program";

/** The routes whose actions are made by this function. */
const madeBy = (name: string) =>
  withActions
    .filter(({ file }) =>
      readFileSync(`app/${file}`, "utf8").includes(`\nexport const action = ${name}({\n`),
    )
    .map(({ path }) => path);

/** The routes with an action of whose rules this holds. */
const whoseRules = (holds: (routeRules: ActionRule[]) => boolean) =>
  withActions
    .map(({ path }) => path)
    .filter((path) =>
      holds(rules.flatMap(([name, rule]) => (name.split(" ")[0] === path ? [rule] : []))),
    );

test("every action whose rules identify somebody is guarded: it cannot run for whom the guard refused", () => {
  const identifying = whoseRules((routeRules) => !routeRules.every(namesNobody));
  expect(identifying.length).toBeGreaterThan(15);
  const guarded = [...madeBy("guarded"), ...madeBy("guardedForVisitors")];
  expect(guarded.toSorted()).toEqual(identifying.toSorted());
});

test("an action is for visitors only where one of its rules lets a guest act or identifies nobody", () => {
  expect(madeBy("guardedForVisitors")).toEqual(
    whoseRules(
      (routeRules) =>
        !routeRules.every(namesNobody) &&
        routeRules.some((rule) => rule.who === "visitor" || namesNobody(rule)),
    ),
  );
});

test("every intent of the forms that have several has a row of its own", () => {
  expect(intentsOf("/dashboard/account").toSorted()).toEqual(
    accountRequests.def.options.flatMap(({ def }) => [...def.shape.intent.def.values]).toSorted(),
  );
  expect(intentsOf("/signin").toSorted()).toEqual(
    signInRequest.def.options.flatMap(({ def }) => [...def.shape.intent.def.values]).toSorted(),
  );
});

test("whatever identifies somebody is limited, and an intent without a row asks for no less than the others", () => {
  const unlimited = rules.filter(
    ([, { who, limit, countedInAction }]) =>
      who !== "program" && who !== "anyone" && !limit && !countedInAction,
  );
  expect(unlimited.map(([name]) => name)).toEqual([]);
  for (const rule of Object.values(actionRules)) {
    if ("who" in rule) continue;
    const intents = Object.values(rule.intents);
    const opens = intents.some(({ who }) => who === "anyone");
    if (!opens) expect(rule.unlisted.who).toBe("verified-user");
    if (intents.some(({ recent }) => recent)) expect(rule.unlisted.recent).toBe(true);
  }
});

test("nobody is identified only where that is said here", () => {
  const open = rules.filter(([, rule]) => namesNobody(rule));
  expect(open.map(([name, { who }]) => `${name}: ${who}`)).toEqual([
    "/contact: anyone",
    "/signin provider: anyone",
    "/signin one_tap: anyone",
    "/signin sign_in: anyone",
    "/signin sign_up: anyone",
    "/signin resend_confirmation: anyone",
    "/signin forgotten_password: anyone",
    "/signin magic_link: anyone",
    "/signin phone_code: anyone",
    "/signin verify_email_code: anyone",
    "/signin verify_phone_code: anyone",
    "/signin (unlisted): anyone",
    "/signin/sso: anyone",
    "/signout local: anyone",
    "/signout (unlisted): anyone",
    "/auth/refresh: anyone",
    "/auth/confirm: anyone",
    "/acknowledge: anyone",
    "/dashboard/account sign_in_again: anyone",
    "/connection-test/:link: anyone",
    "/connection-test/embed/:embed: anyone",
    "/api/stripe/webhook: program",
    "/api/model-config: program",
    "/api/token-usage: program",
    "/api/v1/*: program",
    "/csp-reports: anyone",
  ]);
});

test("a trial does what is listed here, and nothing else: it sends, fetches and sells nothing, and lets in nobody", () => {
  expect(rules.filter(([, { inTrial }]) => inTrial).map(([name]) => name)).toEqual([
    "/try",
    "/services",
    "/dashboard create",
    "/dashboard many",
    "/dashboard/deployments",
    "/dashboard/deployments/new",
    "/dashboard/deployments/move-in",
    "/dashboard/deployments/:id/edit",
    "/dashboard/deployments/:id/duplicate",
    "/dashboard/deployments/:id/delete",
    "/dashboard/deployments/:id/unsaved",
    "/dashboard/deployments/:id progress",
    ...[
      "acknowledge",
      "unacknowledge",
      "snooze",
      "maintenance",
      "set-threshold",
      "remove-threshold",
    ].map((intent) => `/dashboard/servers/:id ${intent}`),
    "/dashboard/deployments/:id/versions",
  ]);
});
