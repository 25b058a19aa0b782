import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

const { jobs } = parse(readFileSync(".github/workflows/releases.yml", "utf8"));
const script: string = jobs["pull-request"].steps.find(
  ({ name }: { name: string }) => name === "A pull request with the change",
).run;

/** A repository at GitHub with the branch of the job, and the job's checkout of main. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), "releases-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (place: string, ...args: string[]) =>
    execFileSync("git", ["-C", join(folder, place), ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  git("", "init", "-q", "--bare", "-b", "main", "origin");
  git("", "clone", "-q", "origin", "checkout");
  const commit = (author: string, text: string) => {
    writeFileSync(join(folder, "checkout/table"), `${text}\n`);
    git("checkout", "add", "table");
    git(
      "checkout",
      "-c",
      `user.name=${author}`,
      "-c",
      `user.email=${author}`,
      "commit",
      "-qm",
      text,
    );
  };
  commit("person@example.com", "main");
  git("checkout", "push", "-q", "origin", "HEAD:main");
  git("checkout", "checkout", "-q", "-b", "releases");
  commit("releases@users.noreply.github.com", "yesterday");
  return {
    judge: () => commit("person@example.com", "judged"),
    tip: () => git("origin", "show", "releases:table"),
    /** What the job prints, and how it writes the pull request. */
    run({ open }: { open: number }) {
      git("checkout", "push", "-q", "origin", "releases");
      git("checkout", "checkout", "-q", "main");
      git("checkout", "fetch", "-q", "origin");
      writeFileSync(join(folder, "checkout/table"), "today\n");
      const change = gzipSync(`${git("checkout", "diff")}\n`).toString("base64");
      git("checkout", "checkout", "-q", "table");
      const gh = `#!/bin/sh\ncase "$1 $2" in\n"pr list") echo ${open} ;;\npr*) echo "$*" ;;\nesac\n`;
      writeFileSync(join(folder, "gh"), gh);
      chmodSync(join(folder, "gh"), 0o755);
      const { status, stdout } = spawnSync("bash", ["-e", "-c", script], {
        cwd: join(folder, "checkout"),
        encoding: "utf8",
        env: {
          ...process.env,
          PATH: `${folder}:${process.env.PATH}`,
          CHANGE: change,
          NOTES: Buffer.from("? Not read: GitHub\n").toString("base64"),
          PROOF: "success",
        },
      });
      expect(status).toBe(0);
      return stdout;
    },
  };
}

test("the job renews its own branch, and its pull request names what was not read", () => {
  const releases = repository();
  const output = releases.run({ open: 1 });
  expect(releases.tip()).toBe("today");
  expect(output).toContain(
    "pr edit releases --body proof:real media on the pins of this day: success",
  );
  expect(output).toContain("? Not read: GitHub");
});

test("what a person has judged on the branch stays, and the pull request says that nothing was pushed", () => {
  const releases = repository();
  releases.judge();
  const output = releases.run({ open: 1 });
  expect(releases.tip()).toBe("judged");
  expect(output).toContain("::warning::Nothing was pushed");
  expect(output).toMatch(/pr edit releases --body [\s\S]*Nothing was pushed/);
});

test("a branch whose pull request is merged or closed is begun anew", () => {
  const releases = repository();
  releases.judge();
  expect(releases.run({ open: 0 })).toContain("pr create --head releases");
  expect(releases.tip()).toBe("today");
});
