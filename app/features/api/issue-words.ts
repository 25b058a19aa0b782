import type * as z from "zod/mini";

/** What is wrong with a value, in a sentence: the schemas themselves have no words. */
export function issueWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "This is needed."
        : `Must be of the type ${issue.expected}.`;
    case "invalid_value":
      return `Must be one of: ${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return `Must be ${issue.maximum} at most, in value or length.`;
    case "too_small":
      return `Must be ${issue.minimum} at least, in value or length.`;
    case "invalid_format":
      return formats[issue.format] ?? "Is not of the form that the description has.";
    default:
      return "Is not as the description has it.";
  }
}

const formats: Readonly<Record<string, string>> = {
  datetime: "Must be a time of UTC in ISO 8601, such as 2026-11-29T10:00:00Z.",
  date: "Must be a day, such as 2026-11-29.",
};
