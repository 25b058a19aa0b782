import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import {
  type DeploymentOptions,
  optionTable,
} from "~/features/deployments/bundle/options/options.ts";
import { valueAt } from "~/features/deployments/bundle/options/paths.ts";
import { basicValue, proLimits } from "~/features/deployments/bundle/options/pro-limits.ts";
import { lockedChoices, withinPlan } from "~/features/deployments/plan/plan-limits.ts";
import { fieldProblems } from "~/features/deployments/wizard/field-problems.ts";
import { formValuesOf } from "~/features/deployments/wizard/form-values.ts";
import {
  fieldsOf,
  questionsByStep,
  questionsFor,
} from "~/features/deployments/wizard/questions.ts";
import { reviewOf } from "~/features/deployments/wizard/review-lines.ts";
import { formStepIds } from "~/features/deployments/wizard/steps.ts";
import { withDocsTable } from "../../../scripts/bundle/options/docs-table.ts";
import { leavesOf } from "../../../scripts/bundle/options/leaves.ts";
import { optionDocs, optionsSchema } from "../../../scripts/bundle/options/schema.ts";
import {
  defaultOptions,
  pairwiseClusters,
  pairwiseOptions,
} from "../../support/deployments/bundle-cases.ts";

// What the parser takes is the measure: an answer that it knows and another place does not is a mistake.
const leaves = leavesOf(optionsSchema());
leaves.delete("version");
const cases = [...pairwiseOptions(0), ...pairwiseClusters(0)];
const fields = formStepIds.flatMap((step) =>
  fieldsOf(questionsByStep[step]).map((field) => ({ step, ...field })),
);
const optionOf = (path: string) => path.split(".")[0] ?? "";

test("the wizard asks for every answer that the parser takes, and for no other", () => {
  const questionPaths = fields.map(({ path }) => path).filter((path) => path !== "name");
  expect([...new Set(questionPaths)].sort()).toEqual([...leaves.keys()].sort());
});

test("the wizard offers every value of a closed list, and the default is one of them", () => {
  for (const { question, path } of fields) {
    if (question.kind !== "choice" || path === "region") continue;
    const offered = question.choices.map(({ value }) => value);
    expect([...offered].sort(), path).toEqual(leaves.get(path)?.values.toSorted());
    expect(offered, path).toContain(valueAt(defaultOptions, path));
  }
});

test("the review shows every answer under the label of its question", () => {
  const seen = new Set(
    cases.flatMap((options) =>
      reviewOf(formValuesOf("Mine", options), {}).flatMap(({ step, lines }) =>
        lines.map(({ label }) => `${step}: ${label}`),
      ),
    ),
  );
  for (const { step, question } of fields)
    expect(seen, question.field).toContain(`${step}: ${question.label}`);
});

test("a problem of any answer is shown at the field that was asked for it", () => {
  for (const options of cases.slice(0, 30)) {
    const formValues = formValuesOf("Mine", options);
    for (const path of leaves.keys()) {
      if (valueAt(options, path) === undefined) continue;
      const [problem] = fieldProblems([{ path, message: "No." }], formValues);
      const at = fields.find(({ question }) => question.field === problem?.field);
      expect(at?.path, path).toBe(path);
      expect(problem?.step, path).toBe(at?.step);
    }
  }
});

test("a problem of a region is shown where its name was written", () => {
  const fieldOf = (region: string) =>
    fieldProblems([{ path: "region", message: "No." }], { region })[0]?.field;
  expect(fieldOf("us-east")).toBe("region");
  expect(fieldOf("own")).toBe("region.own");
});

test("what only Pro has is locked for Basic, refused, and taken back to the default", () => {
  const pro = Object.entries(optionTable).flatMap(([option, entry]) =>
    "pro" in entry ? [option] : [],
  );
  expect(proLimits.map(({ option }) => option)).toEqual(pro);
  const locked = formStepIds.flatMap((step) =>
    fieldsOf(questionsFor(step, "Basic")).flatMap(({ question }) =>
      "locked" in question && question.locked ? [question.field] : [],
    ),
  );
  expect(locked.sort()).toEqual(proLimits.map(({ field }) => field).sort());
  for (const options of cases) {
    const refused = lockedChoices("Basic", options).map(({ path }) => path);
    for (const limit of proLimits) {
      const isDefault =
        JSON.stringify(valueAt(options, limit.field)) === JSON.stringify(basicValue(limit));
      expect(refused.includes(limit.field), limit.field).toBe(!isDefault);
    }
    const within = withinPlan("Basic", options).options;
    expect(lockedChoices("Basic", within)).toEqual([]);
  }
});

test("every option has cases in which its value differs from the default", () => {
  const differing = (path: string, value: DeploymentOptions) =>
    JSON.stringify(valueAt(value, path)) !== JSON.stringify(valueAt(defaultOptions, path));
  const tried = [...leaves.keys()].filter((path) => path !== "email");
  for (const path of tried)
    expect(
      cases.some((options) => differing(path, options)),
      path,
    ).toBe(true);
});

test("the published JSON Schema is today's, and takes what the program takes", () => {
  const published: unknown = JSON.parse(
    readFileSync("public/schemas/deployment-options.json", "utf8"),
  );
  expect(published).toEqual(optionsSchema());
  const validate = new Ajv2020({ strict: false }).compile(optionsSchema());
  for (const options of cases.slice(0, 40)) expect(validate(options)).toBe(true);
  expect(validate({ ...defaultOptions, domain: "a.example.com" })).toBe(false);
  expect(validate({ domain: "a.example.com", email: "a@example.com", provider: "moon" })).toBe(
    false,
  );
});

test("the documentation describes the effect of every answer, and of no other", () => {
  const page = readFileSync("docs/deployments.md", "utf8");
  expect(page, "npm run options:schema writes the table").toBe(withDocsTable(page));
  for (const [path, { values }] of leaves) {
    const docs = optionDocs[path];
    expect(docs, path).toBeDefined();
    const documentedValues = typeof docs === "object" ? docs.values.map(([value]) => value) : [];
    expect(documentedValues, path).toEqual(expect.arrayContaining(values));
  }
  const options = new Set([...leaves.keys()].map(optionOf));
  for (const path of Object.keys(optionDocs)) expect(options, path).toContain(optionOf(path));
});
