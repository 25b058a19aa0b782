import { cpSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test, vi } from "vitest";
import { assembled } from "~/features/deployments/bundle/files/script-parts.ts";
import { providers } from "~/features/deployments/bundle/provider-table.ts";
import { providerIds } from "~/features/deployments/bundle/providers.ts";
import { bundle } from "../support/deployments/bundle.ts";
import { optionsFrom } from "../support/deployments/bundle-cases.ts";
import { complaint } from "../support/deployments/debian-tools.ts";

vi.setConfig({ testTimeout: 60_000 });

const folder = "app/features/deployments/bundle/scripts";
const sources = globSync(`${folder}/**/*.{sh,py}`)
  .map((path) => relative(folder, path))
  .sort();

/** What the tool for its language says against a source, with no other files than those beside it. */
function syntaxErrorsIn(path: string, within = folder): string {
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
  expect(syntaxErrorsIn(path)).toBe("");
});

test.each([
  ["update.sh", "docker rm $@"],
  ["doctor/network.sh", 'for name in "$(names x)"; do :; done'],
  ["turn-check.py", "match self:"],
])("a mistake in %s is found in its source", (path, mistake) => {
  using copy = mkdtempDisposableSync(join(tmpdir(), "script-sources-"));
  cpSync(folder, copy.path, { recursive: true });
  writeFileSync(join(copy.path, path), `${readFileSync(join(folder, path), "utf8")}${mistake}\n`);
  expect(syntaxErrorsIn(path, copy.path)).not.toBe("");
});

/** User data of a kilobyte has no space that it does not need. */
const withoutSpaces = (line: string) => line.replaceAll(" ", "");

test("every line of every source is in some bundle, none is left over", () => {
  const recordings = [
    { kind: "s3", bucket: "rec", region: "eu-west-1" },
    { kind: "gcs", bucket: "rec" },
  ];
  const machines = providerIds.flatMap((provider) =>
    providers[provider].addresses.flatMap((addresses) =>
      recordings.map((recording) => ({ provider, addresses, recording })),
    ),
  );
  const target = { kind: "azure", account: "backups", container: "backups" };
  const others = [
    { system: "amazon-linux-2023" },
    { backups: { frequency: "daily", target } },
    { certificates: "files" },
    { insights: { kind: "machine" } },
    { topology: { kind: "cluster" } },
    { topology: { kind: "cluster", egress: 1 }, recording: { kind: "local" } },
    {
      ...{ topology: { kind: "balanced", egress: 1 }, recording: { kind: "local" } },
      certificates: "dns-hetzner",
      redis: { kind: "external", address: "redis.example.com:6379" },
    },
  ];
  const version = { deployment: "44444444-4444-4444-8444-444444444444", number: 1 };
  const connection = { url: "https://servers.example.com", token: "lkd_e_token", version };
  const made = new Set(
    [...machines, ...others].flatMap((answer) =>
      bundle(
        optionsFrom({ domain: "livekit.example.com", ...answer }),
        undefined,
        connection,
      ).files.flatMap(({ content }) => content.split("\n").map(withoutSpaces)),
    ),
  );
  const unused = sources.flatMap((path) =>
    readFileSync(join(folder, path), "utf8")
      .split("\n")
      .filter(
        (line) => !/^\s*#|@[A-Z0-9_]+@|^\. "\.\//.test(line) && !made.has(withoutSpaces(line)),
      )
      .map((line) => `${path}: ${line}`),
  );
  expect(unused).toEqual([]);
});

test("a script is a file of its own, not a string in TypeScript", () => {
  const holders = globSync("app/features/deployments/bundle/**/*.ts").filter((path) =>
    /#!\/(?:bin\/sh|usr\/bin\/env)/.test(readFileSync(path, "utf8")),
  );
  expect(holders.sort()).toEqual([
    // Two lines, which say the packages that the machine installs at its first boot.
    "app/features/deployments/bundle/files/cloud-init.ts",
  ]);
});

test("a script is made of its source, its parts, the blocks it has and its values", () => {
  const source = `#!/bin/sh
# shellcheck source=part.sh
. "./part.sh"
#if LOUD
echo "@WORDS@"
#end
`;
  const parts = { "part.sh": "# shellcheck shell=sh\npart() { :; }\n" };
  expect(assembled(source, parts, { LOUD: true, WORDS: "$& and $1" })).toBe(
    '#!/bin/sh\npart() { :; }\necho "$& and $1"\n',
  );
  expect(assembled(source, parts, { LOUD: false })).toBe("#!/bin/sh\npart() { :; }\n");
});

test("a script with a part, a block or a value that nobody gives is not made", () => {
  expect(() => assembled('. "./part.sh"\n', {}, {})).toThrow("part.sh");
  expect(() => assembled("#if LOUD\n#end\n", {}, {})).toThrow("LOUD");
  expect(() => assembled("echo @WORDS@\n", {}, {})).toThrow("WORDS");
});
