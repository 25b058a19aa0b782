/** The machine that the forms for a new deployment begin with, by the names of its fields. */
export const usualMachine = { provider: "aws", region: "us-east", size: "medium" } as const;
