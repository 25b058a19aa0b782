import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { communityLinks, notAffiliated } from "../../../app/content/chrome.ts";
import home from "../../../app/content/home.json" with { type: "json" };
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

test("no page says that nothing of ours runs on the machine; about says what does, and how it ends (4)", () => {
  const about = readFileSync("app/content/company/about.md", "utf8");
  expect(namesOf(options)).toContain("livekit-report.timer");
  expect(about).toMatch(/is optional: .*a timer starts a shell script each minute/);
  expect(about).toContain("`livekit-deploy disconnect` ends it");
  for (const file of globSync("app/content/**/*.{md,json,ts}")) {
    expect(readFileSync(file, "utf8"), file).not.toMatch(/no agent of ours|nothing of ours/i);
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
