import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { DeploymentLine } from "../../../app/features/deployments/progress/deployment-line.ts";
import { FirstSteps } from "../../../app/features/deployments/progress/first-steps.tsx";
import { textOfHtml } from "../../support/site/page-text.ts";

const line = (name: string, words: string, isDone: boolean): DeploymentLine => ({
  ...{ id: name, name, version: 1, savedOn: "", place: undefined, checklist: [] },
  next: { words, urgency: undefined, isDone },
});
const done = line("Staging", "Everything is done", true);
const open = line("Production", "Next: run the doctor", false);

const textOf = (lines: DeploymentLine[], isBelowFleet: boolean) =>
  textOfHtml(
    renderToStaticMarkup(
      <MemoryRouter>
        <FirstSteps
          servers={{ state: "some", lines }}
          outcome={undefined}
          isBelowFleet={isBelowFleet}
          quotaRefusal={undefined}
        />
      </MemoryRouter>,
    ),
  ).trim();

test("below connected servers, What is next has what wants something, and is not there where nothing does (Low)", () => {
  expect(textOf([open, done], true)).toMatch(/^What is next Production Next: run the doctor/);
  expect(textOf([open, done], true)).not.toContain("Staging");
  expect(textOf([done], true)).toBe("");
  expect(textOf([done], false)).toMatch(/^Your servers Staging Everything is done/);
});
