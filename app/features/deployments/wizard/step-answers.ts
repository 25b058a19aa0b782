import type { DeploymentOptions } from "../bundle/options/options.ts";
import { parseOptions } from "../bundle/options/parse-options.ts";
import { setAt } from "../bundle/options/paths.ts";
import { typedDomain } from "../words/typed-domain.ts";
import { type FieldProblem, fieldProblems, nameProblems } from "./field-problems.ts";
import type { FormValues } from "./form-values.ts";
import { type Field, fieldsOf, isFieldShown, questionsByStep } from "./questions.ts";
import type { FormStepId } from "./steps.ts";

/**
 * The name and options that the fields of these steps make of `base`, or what is wrong with them. Whether the plan has
 * every choice is not asked here.
 */
export function readSteps(
  steps: readonly FormStepId[],
  formValues: FormValues,
  base: Partial<DeploymentOptions>,
): { name: string; options: DeploymentOptions } | { problems: FieldProblem[] } {
  const name = (formValues.name ?? "").trim();
  const answers = steps.map((step) => answersOf(step, formValues));
  const parsed = parseOptions(Object.assign({ version: 1, ...base }, ...answers));
  const problems = [
    ...(steps.includes("deployment") ? nameProblems(name) : []),
    ...(parsed.problems ? fieldProblems(parsed.problems, formValues) : []),
  ];
  if (parsed.options && problems.length === 0) return { name, options: parsed.options };
  return { problems };
}

/** What a step's fields say of its options, before anybody has checked it. */
function answersOf(step: FormStepId, formValues: FormValues): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const field of fieldsOf(questionsByStep[step])) {
    const { question, path, after } = field;
    if (path === "name") continue;
    if (isFieldShown(field, formValues) || after.some(({ always }) => always)) {
      const answer = answerIn(question, formValues);
      if (answer !== undefined || question.kind !== "choice") setAt(answers, path, answer);
    } else if (!path.includes(".") && !Object.hasOwn(answers, path)) {
      // An option that is no longer asked for is taken back.
      answers[path] = undefined;
    }
  }
  return answers;
}

function answerIn(question: Field["question"], formValues: FormValues): unknown {
  const text = (formValues[question.field] ?? "").trim();
  switch (question.kind) {
    case "check":
      return formValues[question.field] === "on";
    case "lines": {
      const lines = text
        .split(/\r\n|\n|,/)
        .map((line) => line.trim())
        .filter(Boolean);
      return question.rules ? lines.map(ruleIn) : lines;
    }
    case "text":
      // Other words than digits are refused as they are.
      if (question.type === "number") return /^\d+$/.test(text) ? Number(text) : text || undefined;
      if ("domain" in question) return typedDomain(text) || (question.optional ? undefined : "");
      return question.optional ? text || undefined : text;
    default:
      return question.optional ? text || undefined : text;
  }
}

/** `udp 9000-9010 203.0.113.0/24`; a line that is not of this form fails at its own field. */
function ruleIn(line: string) {
  const [protocol = "", ports = "", source = "", ...more] = line.split(/\s+/);
  return { protocol: protocol.toLowerCase(), ports, source: [source, ...more].join(" ") };
}
