import * as z from "zod/mini";
import type { Google } from "./google-api.server";
import type { GoogleFailure } from "./google-failure.server";
import { googleLink } from "./google-link";
import { type Operation, success, type ToolOperations } from "./operation";
import { notCreated, refused, wrongFields } from "./refusals.server";

/** A task as the views show it. */
export type TaskView = {
  id: string;
  title: string;
  notes: string;
  /** A day, `2026-11-24`; "" without one. */
  due: string;
  completed: boolean;
  href?: string;
};

/** Tasks of the list; `next` asks for the ones after them. */
export type TaskPage = { tasks: readonly TaskView[]; next?: string };

/** The candidates where a title names none or several tasks. */
export type TaskChoice = { choose: readonly TaskView[] };

/** The task that was created or completed. */
export type OneTask = { task: TaskView };

// Source: Google's reference of the task resource and of tasks.list.
const limits = { title: 1024, notes: 8192, page: 100 };
/** Enough for 4,000 open tasks. Each page is a subrequest, of which a Worker may make a limited number. */
const pagesToSearch = 40;
const offered = 20;
const listPath = "/tasks/v1/lists/@default/tasks";

const task = z.object({
  id: z.string(),
  title: z.optional(z.string()),
  notes: z.optional(z.string()),
  due: z.optional(z.string()),
  status: z.optional(z.string()),
  webViewLink: z.optional(z.string()),
});
const taskList = z.object({
  /** Left out by Google where there is none. */
  items: z.optional(z.array(task)),
  nextPageToken: z.optional(z.string()),
});

const create: Operation = async (form, google) => {
  const title = (form.get("title") ?? "").trim();
  const notes = (form.get("notes") ?? "").replaceAll("\r\n", "\n").trim();
  const due = form.get("due") ?? "";
  const wrong: Record<string, string> = {};
  if (!title) wrong.title = "Type a title.";
  if (title.length > limits.title) wrong.title = "The title can have 1024 characters at most.";
  if (notes.length > limits.notes) wrong.notes = "The notes can have 8192 characters at most.";
  if (due && !isDay(due)) wrong.due = "Choose a day, or none.";
  if (Object.keys(wrong).length > 0) return wrongFields(wrong);
  const answer = await google.call({
    method: "POST",
    path: listPath,
    // Google keeps the day of this time and drops the rest.
    body: { title, ...(notes && { notes }), ...(due && { due: `${due}T00:00:00.000Z` }) },
    answer: task,
  });
  return answer.ok ? done(answer.body, google) : notCreated(answer);
};

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}

/** Completes a task by `task`, its id, or by `title`, the exact title of an open task. */
const complete: Operation = async (form, google) => {
  const chosen = form.get("task") ?? "";
  if (chosen) return completeTask(chosen, google);
  const title = form.get("title") ?? "";
  if (!title.trim()) return wrongFields({ title: "Type the title of the task." });
  const open = await openTasks(google);
  if (!open.ok) return refused(open);
  const exact = open.tasks.filter((each) => each.title === title);
  const [only] = exact;
  if (only && exact.length === 1 && open.whole) return completeTask(only.id, google);
  if (exact.length > 0) {
    const count = open.whole ? String(exact.length) : `${exact.length} or more`;
    const message = `${count} open tasks have this title. Choose the one that is done.`;
    return { ok: false, status: 409, message, result: choice(exact, google) };
  }
  const alike = open.tasks.filter((each) => isAlike(each.title ?? "", title));
  const toChoose = alike.length > 0 ? alike : open.tasks;
  const message = open.whole
    ? "No open task has exactly this title."
    : "Your list is too long to search in one go: no task of its first part has exactly this title.";
  const help = toChoose.length > 0 ? " Choose one below, or correct the title." : "";
  return { ok: false, status: 404, message: message + help, result: choice(toChoose, google) };
};

async function completeTask(id: string, google: Google) {
  const answer = await google.call({
    method: "PATCH",
    path: `${listPath}/${encodeURIComponent(id)}`,
    body: { status: "completed" },
    answer: task,
  });
  if (answer.ok) return done(answer.body, google);
  const gone = "Google Tasks no longer has this task. It may have been deleted.";
  return answer.kind === "not-found" ? refused(answer, gone) : refused(answer);
}

type OpenTasks =
  | { ok: true; tasks: readonly z.output<typeof task>[]; whole: boolean }
  | GoogleFailure;

async function openTasks(google: Google): Promise<OpenTasks> {
  const tasks: z.output<typeof task>[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < pagesToSearch; page++) {
    const answer = await askForTasks(google, { completed: false, pageToken });
    if (!answer.ok) return answer;
    tasks.push(...(answer.body.items ?? []));
    pageToken = answer.body.nextPageToken;
    if (!pageToken) return { ok: true, tasks, whole: true };
  }
  return { ok: true, tasks, whole: false };
}

const list: Operation = async (form, google) => {
  const completed = form.get("showCompleted") === "true";
  const pageToken = form.get("pageToken") || undefined;
  const answer = await askForTasks(google, { completed, pageToken });
  if (!answer.ok) return refused(answer);
  const { items = [], nextPageToken } = answer.body;
  const result: TaskPage = {
    tasks: items.map((each) => taskView(each, google)),
    ...(nextPageToken && { next: nextPageToken }),
  };
  return { ok: true, message: success, result };
};

function askForTasks(
  google: Google,
  { completed, pageToken }: { completed: boolean; pageToken: string | undefined },
) {
  return google.call({
    method: "GET",
    path: listPath,
    query: {
      maxResults: limits.page,
      showCompleted: completed,
      // What was completed in Google's own apps is hidden besides.
      showHidden: completed,
      pageToken,
    },
    answer: taskList,
  });
}

function done(made: z.output<typeof task>, google: Google) {
  const link = googleLink(made.webViewLink, google.email, "Open the task in Google Tasks");
  const result: OneTask = { task: taskView(made, google) };
  return { ok: true, message: success, ...(link && { link }), result } as const;
}

function choice(tasks: readonly z.output<typeof task>[], google: Google): TaskChoice {
  return { choose: tasks.slice(0, offered).map((each) => taskView(each, google)) };
}

function isAlike(title: string, typed: string): boolean {
  const [one, other] = [title, typed].map((text) => text.trim().toLowerCase());
  return Boolean(one && other && (one.includes(other) || other.includes(one)));
}

function taskView(from: z.output<typeof task>, { email }: Google): TaskView {
  const href = googleLink(from.webViewLink, email, "")?.href;
  return {
    id: from.id,
    title: from.title ?? "",
    notes: from.notes ?? "",
    due: from.due?.slice(0, 10) ?? "",
    completed: from.status === "completed",
    ...(href && { href }),
  };
}

/** The operations of the tabs of Task Management. */
export const tasksOperations: ToolOperations = { create, complete, list };
