/** The steps that ask something, in their order: one for each of the six services. */
export const formStepIds = [
  "deployment",
  "domain",
  "network",
  "protection",
  "features",
  "management",
] as const;

/** The steps of the wizard: after the questions comes a look at everything. */
export const stepIds = [...formStepIds, "review"] as const;

export type FormStepId = (typeof formStepIds)[number];
export type StepId = (typeof stepIds)[number];

/** The ids that these steps had before: bookmarks and forms that browsers have kept still say them. */
const formerIds: ReadonlyMap<string | null, StepId> = new Map([
  ["security", "domain"],
  ["server", "network"],
  ["security-advanced", "protection"],
]);

/** The step that an address or a posted form names; any other word is the first step. */
export function stepOf(name: string | null): StepId {
  return stepIds.find((step) => step === name) ?? formerIds.get(name) ?? "deployment";
}

/** The step after this one. */
export function stepAfter(step: StepId): StepId {
  return stepIds[stepIds.indexOf(step) + 1] ?? "review";
}

const wordsOfSteps: Record<StepId, { title: string; intro: string }> = {
  deployment: {
    title: "Cloud",
    intro: "Where the server runs and how large it is.",
  },
  domain: {
    title: "Domain",
    intro: "The name people connect to. Certificates are issued for it and renewed by themselves.",
  },
  network: {
    title: "Network",
    intro:
      "How media gets through: TURN for people behind firewalls, and the server's own firewall.",
  },
  protection: {
    title: "Protection",
    intro: "How tightly the machine is locked, and how you learn that something is wrong.",
  },
  features: {
    title: "Media",
    intro: "What joins rooms besides people: streams, recordings, telephone calls and agents.",
  },
  management: {
    title: "Upkeep",
    intro: "Updates, backups and the exact versions that run.",
  },
  review: {
    title: "Review",
    intro: "Everything you chose, before it becomes files.",
  },
};

/** A step as a link of the wizard shows it. */
export type StepLine = { id: StepId; number: number; title: string };

export const stepLines: readonly StepLine[] = stepIds.map((id, at) => ({
  id,
  number: at + 1,
  title: wordsOfSteps[id].title,
}));

/** The heading of a step and a sentence that says what it is for. */
export function wordsOfStep(step: StepId): { title: string; intro: string } {
  return wordsOfSteps[step];
}
