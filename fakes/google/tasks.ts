import { type AccountData, newId, type StoredTask } from "./account-data.ts";
import { type ApiCall, fieldsOf, invalid, notFound, pageOf, textOf } from "./api.ts";

const limits = { title: 1024, notes: 8192, page: 100, usualPage: 20 };

/** Tasks v1: tasks.list, get, insert and patch of the default list. */
export function answerTasks(call: ApiCall, data: AccountData): Response {
  const [, , , , list = "", , id] = call.path.split("/").map(decodeURIComponent);
  if (list !== "@default") return notFound("Task list not found.");
  if (id === undefined) return call.method === "POST" ? insert(call, data) : readList(call, data);
  const task = data.tasks.find((each) => each.id === id);
  if (!task) return notFound("Task not found.");
  return call.method === "PATCH" ? patch(call, task) : Response.json(taskAnswer(task));
}

function readList({ query }: ApiCall, data: AccountData): Response {
  const yes = (name: string, usual: boolean) => (query.get(name) ?? String(usual)) === "true";
  const listed = data.tasks.filter(
    (task) =>
      (!task.completed || yes("showCompleted", true)) && (!task.hidden || yes("showHidden", false)),
  );
  const size = Number(query.get("maxResults") ?? limits.usualPage);
  if (!Number.isInteger(size) || size < 1)
    return invalid("Invalid value for maxResults", "invalid");
  const page = pageOf(listed, Math.min(size, limits.page), query.get("pageToken"));
  if (!page) return invalid("Invalid page token.", "invalid");
  const { items, ...next } = page;
  return Response.json({
    kind: "tasks#tasks",
    etag: `"${newId(16)}"`,
    ...next,
    ...(items.length > 0 ? { items: items.map(taskAnswer) } : {}),
  });
}

function insert(call: ApiCall, data: AccountData): Response {
  const task: StoredTask = { id: newId(16), title: "", hidden: false, updated: now() };
  const problem = write(task, call);
  if (problem) return problem;
  data.tasks.unshift(task);
  return Response.json(taskAnswer(task));
}

function patch(call: ApiCall, task: StoredTask): Response {
  return write(task, call) ?? Response.json(taskAnswer(task));
}

/** Writes the fields of a request into a task, or says why not. */
function write(task: StoredTask, call: ApiCall): Response | undefined {
  const body = fieldsOf(call.body);
  const title = textOf(body.title);
  const notes = textOf(body.notes);
  const due = textOf(body.due);
  if ((title ?? "").length > limits.title) return invalid("Invalid value for: title is too long");
  if ((notes ?? "").length > limits.notes) return invalid("Invalid value for: notes is too long");
  if (due !== undefined && !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(due)) {
    return invalid(`Invalid value for: Invalid format: "${due}"`);
  }
  if (title !== undefined) task.title = title;
  if (notes !== undefined) task.notes = notes;
  if (due !== undefined) task.due = `${due.slice(0, 10)}T00:00:00.000Z`;
  if (body.status === "completed") task.completed = now();
  else if (body.status === "needsAction") {
    delete task.completed;
    task.hidden = false;
  } else if (body.status !== undefined) return invalid("Invalid task status");
  task.updated = now();
  return undefined;
}

function now(): string {
  return new Date().toISOString();
}

function taskAnswer(task: StoredTask) {
  return {
    kind: "tasks#task",
    id: task.id,
    etag: `"${newId(16)}"`,
    title: task.title,
    updated: task.updated,
    selfLink: `https://www.googleapis.com/tasks/v1/lists/@default/tasks/${task.id}`,
    ...(task.notes ? { notes: task.notes } : {}),
    status: task.completed ? "completed" : "needsAction",
    ...(task.due ? { due: task.due } : {}),
    ...(task.completed ? { completed: task.completed } : {}),
    ...(task.hidden ? { hidden: true } : {}),
    webViewLink: `https://tasks.google.com/task/${task.id}?sa=6`,
  };
}
