import { cpSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import { bundle } from "~/features/deployments/bundle/bundle.ts";
import { assembled } from "~/features/deployments/bundle/files/script-parts.ts";
import { answers, optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { complaint } from "../../../support/deployments/debian-tools.ts";

vi.setConfig({ testTimeout: 60_000 });

const folder = "app/features/deployments/bundle/scripts";
const sources = globSync(`${folder}/**/*.{sh,py}`)
  .map((path) => relative(folder, path))
  .sort();

/** What the tool for its language says against a source, with no other files than those beside it. */
function complaintAgainst(path: string, within = folder): string {
  return path.endsWith(".sh")
    ? complaint("shellcheck", ["--severity=warning", path], within)
    : // Amazon Linux 2023 has Python 3.9.
      complaint(
        "python3",
        [
          "-c",
          "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))",
          path,
        ],
        within,
      );
}

test.each(sources)("%s is understood as it stands in the repository", (path) => {
  expect(complaintAgainst(path)).toBe("");
});

test.each([
  ["update.sh", "docker rm $@"],
  ["doctor/network.sh", 'for name in "$(names x)"; do :; done'],
  ["turn-check.py", "match self:"],
])("a mistake in %s is found in its source", (path, mistake) => {
  using copy = mkdtempDisposableSync(join(tmpdir(), "script-sources-"));
  cpSync(folder, copy.path, { recursive: true });
  writeFileSync(join(copy.path, path), `${readFileSync(join(folder, path), "utf8")}${mistake}\n`);
  expect(complaintAgainst(path, copy.path)).not.toBe("");
});

test("every source reaches a machine, none is left over", () => {
  const made = Object.values(answers)
    .flat()
    .flatMap((answer) => {
      const ssh = { sshSource: [answer.addresses === "ipv6" ? "2001:db8::1" : "192.0.2.1"] };
      return bundle(optionsFrom({ domain: "livekit.example.com", ...ssh, ...answer })).files;
    })
    .map(({ content }) => content);
  const unused = sources.filter((path) => {
    const lines = readFileSync(join(folder, path), "utf8").split("\n");
    const own = lines.filter((line) => !/^\s*#|@[A-Z_]+@|^\. /.test(line) && line.length > 5);
    return !made.some((content) => own.every((line) => content.includes(line)));
  });
  expect(unused).toEqual([]);
});

test("a script is a file of its own, not a string in TypeScript", () => {
  const holders = globSync("app/features/deployments/bundle/**/*.ts").filter((path) =>
    /#!\/(?:bin\/sh|usr\/bin\/env)/.test(readFileSync(path, "utf8")),
  );
  expect(holders.sort()).toEqual([
    // Two lines that say which packages the machine installs at its first boot.
    "app/features/deployments/bundle/files/cloud-init.ts",
    // Nearly every line of create-vm.sh depends on the options.
    "app/features/deployments/bundle/files/providers/commands.ts",
  ]);
});

test("a script with a part or a value that nobody gives is not made", () => {
  const source = '#!/bin/sh\n. "./part.sh"\necho "@WORDS@"\n';
  expect(assembled(source, { "part.sh": "part() { :; }\n" }, { WORDS: "$& and $1" })).toBe(
    '#!/bin/sh\npart() { :; }\necho "$& and $1"\n',
  );
  expect(() => assembled(source, {}, { WORDS: "" })).toThrow("part.sh");
  expect(() => assembled(source, { "part.sh": "" }, {})).toThrow("WORDS");
});
