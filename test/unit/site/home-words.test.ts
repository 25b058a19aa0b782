import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { communityLinks, notAffiliated } from "../../../app/content/chrome.ts";
import home from "../../../app/content/home.json" with { type: "json" };
import { maxRepeats, repeatsEveryMs } from "../../../app/features/servers/incidents/step.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";

const options = { ...defaultOptions, domain: "av.example.com", email: "a@example.com" };

const namesOf = (of: Parameters<typeof bundle>[0]) =>
  bundle(of).files.map(({ path }) => path.split("/").at(-1));

test("each file that the home page names as proof of a feature is in a bundle, by that name (12)", () => {
  const names = namesOf({ ...options, ingress: "both", recording: { kind: "local" } });
  for (const { name, proof } of home.features) {
    expect(names, name).toEqual(expect.arrayContaining(proof.split(" · ")));
  }
  expect(namesOf(options)).toEqual(expect.arrayContaining(home.heroDeployment.files));
});

/** What each timer of a bundle starts, as people read of it. */
const timers: Readonly<Record<string, RegExp>> = {
  health: /a health check every five minutes/,
  update: /the updates.* that you chose/,
  backup: /backups.* that you chose/,
  "backup-test": /backups.* that you chose/,
  reboot: /reboots that you chose/,
  insights: /a receiver where you chose \W?agent insights/,
  report: /each minute/,
};

test("about and the home page say of every timer of the machine what it starts, and how the one that calls us ends (4)", () => {
  const about = readFileSync("app/content/company/about.md", "utf8");
  const question = home.questions.find((each) => each.question.includes("on my machine"));
  const everything = {
    ...({ ...options, updates: "weekly", security: "enterprise" } as const),
    ...({ backups: { ...options.backups, frequency: "daily" } } as const),
    ...({ insights: { kind: "machine", days: 30, gigabytes: 10 } } as const),
  };
  const started = namesOf(everything).flatMap(
    (name = "") => /^livekit-(.*)\.timer$/.exec(name)?.[1] ?? [],
  );
  expect(started.toSorted()).toEqual(Object.keys(timers).toSorted());
  for (const says of Object.values(timers)) {
    expect(about).toMatch(says);
    expect(question?.answer).toMatch(says);
  }
  expect(about).toContain("`livekit-deploy disconnect` ends it");
  for (const file of globSync("app/content/**/*.{md,json,ts}")) {
    expect(readFileSync(file, "utf8"), file).not.toMatch(/no agent of ours|nothing of ours/i);
  }
});

test("home page, alerts and mails say how often an alert is repeated", () => {
  expect([maxRepeats, repeatsEveryMs]).toEqual([8, 15 * 60_000]);
  const alerts = readFileSync("app/content/docs/alerts.md", "utf8");
  expect(alerts).toContain(
    "every 15 minutes until somebody acknowledges it or it is over: eight times, then once an hour",
  );
  const mails = readFileSync("app/features/servers/notifications/senders/mail.server.ts", "utf8");
  for (const text of [home.incident.join(" "), mails]) {
    expect(text).toContain("eight times every 15 minutes, then once an hour");
  }
});

test("about and terms say that this is not LiveKit's own product, as the foot of each page does (15)", () => {
  expect(notAffiliated).toBe("Not affiliated with LiveKit, Inc.");
  for (const page of ["company/about", "legal/terms"]) {
    expect(readFileSync(`app/content/${page}.md`, "utf8"), page).toContain(
      "not affiliated with LiveKit, Inc.",
    );
  }
  // The group of links names them as LiveKit's community: a label needs no name of its own.
  expect(communityLinks.map(({ label }) => label)).toEqual(["GitHub", "X", "Slack"]);
});
