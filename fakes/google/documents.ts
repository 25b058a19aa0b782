import { type AccountData, newId, type StoredDocument } from "./account-data.ts";
import {
  type ApiCall,
  type Fields,
  fieldsOf,
  googleError,
  invalid,
  notFound,
  textOf,
} from "./api.ts";
import { keepFields } from "./partial-response.ts";

/** Docs v1: documents.create, get and batchUpdate with insertText and deleteContentRange. */
export function answerDocuments(call: ApiCall, data: AccountData): Response {
  const [id, action] = decodeURIComponent(call.path.split("/")[3] ?? "").split(":");
  if (!id) return create(call, data);
  const document = data.documents.find((each) => each.id === id);
  if (!document) return notFound();
  if (action === "batchUpdate") return update(call, document);
  return Response.json(keepFields(documentAnswer(document), call.query.get("fields")));
}

/** Only the title of the request is taken; the body starts empty, as Google's does. */
function create(call: ApiCall, data: AccountData): Response {
  const document = newDocument(textOf(fieldsOf(call.body).title) || "Untitled document");
  data.documents.push(document);
  return Response.json(documentAnswer(document));
}

/** A document as it is right after it was made. */
export function newDocument(title: string, text = "\n"): StoredDocument {
  return { id: newId(44), title, text, revision: 1, modified: Date.now() };
}

function update(call: ApiCall, document: StoredDocument): Response {
  const { requests, writeControl } = fieldsOf(call.body);
  const required = textOf(fieldsOf(writeControl).requiredRevisionId);
  if (required !== undefined && required !== revisionId(document)) {
    return googleError({
      status: 400,
      name: "FAILED_PRECONDITION",
      reason: "failedPrecondition",
      message: `The required revision ID '${required}' does not match the latest revision.`,
    });
  }
  if (!Array.isArray(requests) || requests.length === 0) {
    return invalid("Must specify at least one request.");
  }
  let text = document.text;
  for (const [index, request] of requests.entries()) {
    const changed = apply(text, fieldsOf(request), `Invalid requests[${index}]`);
    if ("problem" in changed) return invalid(changed.problem);
    text = changed.text;
  }
  document.text = text;
  document.revision++;
  document.modified = Date.now();
  return Response.json({
    documentId: document.id,
    replies: requests.map(() => ({})),
    writeControl: { requiredRevisionId: revisionId(document) },
  });
}

type Change = { text: string } | { problem: string };

/** Indexes count UTF-16 code units from the body's start; the first character has index 1. */
function apply(text: string, request: Fields, where: string): Change {
  const end = text.length + 1;
  if (request.insertText) {
    const { text: inserted, location, endOfSegmentLocation } = fieldsOf(request.insertText);
    const index = endOfSegmentLocation ? end - 1 : Number(fieldsOf(location).index);
    if (!textOf(inserted))
      return { problem: `${where}.insertText: Insert text requests must specify text to insert.` };
    if (!(index >= 1))
      return {
        problem: `${where}.insertText: The insertion index must be inside the bounds of an existing paragraph.`,
      };
    if (index >= end)
      return {
        problem: `${where}.insertText: Index ${index} must be less than the end index of the referenced segment, ${end}.`,
      };
    return { text: text.slice(0, index - 1) + inserted + text.slice(index - 1) };
  }
  if (request.deleteContentRange) {
    const { startIndex, endIndex } = fieldsOf(fieldsOf(request.deleteContentRange).range);
    const [from, to] = [Number(startIndex), Number(endIndex)];
    if (!(from >= 1))
      return { problem: `${where}.deleteContentRange: The range start must be at least 1.` };
    if (!(to > from))
      return { problem: `${where}.deleteContentRange: The range should not be empty.` };
    if (to >= end)
      return {
        problem: `${where}.deleteContentRange: The range cannot include the newline character at the end of the segment.`,
      };
    return { text: text.slice(0, from - 1) + text.slice(to - 1) };
  }
  return { problem: `${where}: No request set.` };
}

function revisionId(document: StoredDocument): string {
  return `ALm37BW${document.id.slice(0, 12)}${String(document.revision).padStart(6, "0")}`;
}

function documentAnswer(document: StoredDocument) {
  return {
    title: document.title,
    body: {
      content: [{ endIndex: 1, sectionBreak: { sectionStyle: {} } }, ...paragraphs(document.text)],
    },
    documentStyle: {},
    namedStyles: {},
    revisionId: revisionId(document),
    suggestionsViewMode: "SUGGESTIONS_INLINE",
    documentId: document.id,
  };
}

function paragraphs(text: string) {
  let startIndex = 1;
  return text.split(/(?<=\n)/).map((content) => {
    const range = { startIndex, endIndex: startIndex + content.length };
    startIndex = range.endIndex;
    return {
      ...range,
      paragraph: {
        elements: [{ ...range, textRun: { content, textStyle: {} } }],
        paragraphStyle: { namedStyleType: "NORMAL_TEXT", direction: "LEFT_TO_RIGHT" },
      },
    };
  });
}
