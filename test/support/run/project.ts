// `npm run proof` and `npm run gallery`: a project of vitest.config.ts, with what it is for and how long it takes.
import { spawnSync } from "node:child_process";
import { asksForHelp, helpOf } from "../../../scripts/lib/command-line.ts";
import { refuseUnknown } from "./vitest-options.ts";

const projects: Readonly<Record<string, { about: string; says?: string }>> = {
  proof: {
    about: `The tests that take minutes: every route under every fault, 20,000 hostile requests, a thousand customers, a day of
10,000 servers, growth, every journey in every variant, every screen in both themes, and a newcomer's first hour in a
fresh clone. It takes about an hour and a half; with --shard=1/4 a quarter of it.`,
  },
  gallery: {
    about: `Draws every screen and every primitive of the design, in both themes and three widths, into one page,
.local/gallery/index.html. It takes five to ten minutes, and says each screen that it has drawn.`,
    says: "Drawing about 500 pictures into .local/gallery: five to ten minutes. Each line below is a screen.",
  },
};

const [name = "", ...given] = process.argv.slice(2);
const project = projects[name];
if (!project) throw new Error(`There is no project "${name}".`);
if (asksForHelp(given)) {
  console.log(helpOf({ usage: `npm run ${name} [-- OPTIONS OF VITEST]`, about: project.about }));
  process.exit(0);
}
refuseUnknown(given);
if (project.says) console.log(project.says);
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", name];
if (name === "gallery") vitest.push("--reporter=verbose");
process.exit(spawnSync(process.execPath, [...vitest, ...given], { stdio: "inherit" }).status ?? 1);
