import { expect, test } from "vitest";
import { portsOf } from "~/features/deployments/bundle/ports.ts";
import { providers } from "~/features/deployments/bundle/provider-table.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { codeBlocks } from "../../support/documentation/code-blocks.ts";
import { pageText } from "../../support/documentation/samples.ts";
import { tableOf } from "../../support/documentation/tables.ts";

const page = "docs/firewalls";
const ports = portsOf(optionsFrom({ domain: "livekit.example.com" }));
const numbersFor = (whom: string) =>
  ports.filter(({ audience }) => audience === whom).map((port) => port.ports);

test("the page about firewalls opens what a deployment with the first answers opens", () => {
  const open = ports.filter(({ audience }) => audience === "public");
  expect(tableOf(page, "Inbound rules for everybody").map(([port]) => port)).toEqual(
    open.map((port) => `${port.ports}/${port.protocol}`),
  );
});

test.each(
  Object.values(providers)
    .map(({ label }) => label)
    .filter((label) => !label.startsWith("Another")),
)("the commands for %s open these ports, and none that must stay closed", (label) => {
  expect(pageText("firewalls")).toContain(`\n## ${label}\n`);
  const section = pageText("firewalls").split(`\n## ${label}\n`)[1]?.split("\n## ")[0] ?? "";
  const code = codeBlocks(page)
    .filter(({ text }) => section.includes(text))
    .map(({ text }) => text)
    .join("\n");
  const named = [...code.matchAll(/\b\d+\b/g)].map(([number]) => number);
  const wanted = numbersFor("public").flatMap((range) => range.split("-"));
  expect(wanted.filter((number) => !named.includes(number))).toEqual([]);
  const closed = [...numbersFor("internal"), "2019", "9090", "7980"];
  expect(named.filter((number) => closed.includes(number))).toEqual([]);
});
