import { type DeploymentField, deploymentFields } from "~/content/deployment-fields";

/** Where a visitor's choices wait, as one JSON object by form field, until an account takes them. */
const draftKey = "deploymentDraft";

type Answer<Question> = Question extends { options: readonly (infer Option)[] } ? Option : string;

export type Draft = { [Field in DeploymentField]?: Answer<(typeof deploymentFields)[Field]> };

const maxAnswerLength = 254;

const listeners = new Set<() => void>();

/** The draft as it is stored; null when there is none, or when the browser does not let us look. */
export function storedDraft(): string | null {
  try {
    return localStorage.getItem(draftKey);
  } catch {
    return null;
  }
}

/**
 * What of a stored draft can be used. Anybody may have written to the storage, so whatever is not an
 * answer to one of our questions is left out. By hand: a schema library would cost the page 6 kB.
 */
export function parseDraft(stored: string | null): Draft {
  const draft: Draft = {};
  const found = readJson(stored);
  if (typeof found !== "object" || found === null) return draft;
  for (const [name, answer] of Object.entries(found)) if (isField(name)) take(draft, name, answer);
  return draft;
}

function readJson(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? "null");
  } catch {
    return null;
  }
}

function isField(name: string): name is DeploymentField {
  return Object.hasOwn(deploymentFields, name);
}

function take<Field extends DeploymentField>(draft: Draft, field: Field, answer: unknown) {
  if (isAnswer(field, answer)) draft[field] = answer;
}

function isAnswer<Field extends DeploymentField>(
  field: Field,
  answer: unknown,
): answer is Draft[Field] {
  if (typeof answer !== "string") return false;
  const question = deploymentFields[field];
  if (!("options" in question)) return answer !== "" && answer.length <= maxAnswerLength;
  const options: readonly string[] = question.options;
  return options.includes(answer);
}

/**
 * Puts the answers to some questions into the draft; an empty answer takes the old one out.
 * False when the browser does not let us store anything.
 */
export function keepInDraft(answers: Partial<Record<DeploymentField, string>>): boolean {
  const merged = parseDraft(JSON.stringify({ ...parseDraft(storedDraft()), ...answers }));
  try {
    localStorage.setItem(draftKey, JSON.stringify(merged));
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

/** Forgets every choice. */
export function clearDraft(): void {
  try {
    localStorage.removeItem(draftKey);
  } catch {
    // A browser that forbids its storage has kept nothing there.
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` when the draft changes, here or in another tab. Returns the function that ends this. */
export function watchDraft(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === draftKey || key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}
