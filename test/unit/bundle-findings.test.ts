import { expect, test } from "vitest";
import { bundle } from "~/deployments/bundle/bundle.ts";
import { findings } from "~/deployments/bundle/findings.ts";
import { optionsFrom } from "../fixtures/bundle-cases.ts";
import { textOf } from "../fixtures/bundle-checks.ts";

const usual = bundle(optionsFrom({ domain: "livekit.example.com" }));
const doctor = textOf(usual, "doctor.sh");
const codes = Object.keys(findings).sort();

test("the doctor knows every code of the table, and finds no other", () => {
  const found = [...doctor.matchAll(/\bfinding ([a-z0-9]\S*)/g)].map(([, code]) => code);
  expect([...new Set(found)].sort()).toEqual(codes);
  const table = [...doctor.matchAll(/^ {2}(\S+)\) severity=(\S+) next="(.*)" ;;$/gm)];
  expect(table.map(([, code]) => code)).toEqual(Object.keys(findings));
  for (const [, code, severity] of table)
    expect(findings).toMatchObject({ [`${code}`]: { severity } });
});

test("codes are words with dots, in the order of the alphabet", () => {
  expect(Object.keys(findings)).toEqual(codes);
  for (const code of codes) expect(code).toMatch(/^[a-z]+(\.[a-z0-9]+)+$/);
});

test("every finding has a title and a next step of its own, with no other fields than the report's", () => {
  for (const field of ["title", "next"] as const) {
    const texts = Object.values(findings).map((finding) => finding[field]);
    expect(new Set(texts).size).toBe(codes.length);
    for (const text of texts) {
      expect(text).toMatch(/^[ -~]{10,150}$/);
      expect(text).not.toMatch(/\.$/);
      expect(text.replace(/\{(subject|wanted)\}/g, "")).not.toMatch(/[{}]/);
    }
  }
});

test("the README of the bundle lists every code with what it means", () => {
  const rows = [
    ...textOf(usual, "README.md").matchAll(/^\| `(\S+)` \| (warning|critical) \| (.+) \|$/gm),
  ];
  expect(rows.map(([, code, severity, title]) => [code, { severity, title }])).toEqual(
    Object.entries(findings).map(([code, { severity, title }]) => [code, { severity, title }]),
  );
});
