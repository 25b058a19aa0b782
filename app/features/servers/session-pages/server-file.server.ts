import type { RouterContextProvider } from "react-router";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { type AppContext, appContext } from "~/http/app-context";
import { csvOf } from "~/http/encodings";
import { describeError, log } from "~/platform/log/log.server";
import { orUndefined } from "../fleets.server";
import type { FilePart } from "../room-sessions/file-part";
import { isServerId } from "../server-id";

/** A CSV of what is stored of one server, which is read part by part. */
export type ServerFile<Row, Cursor> = {
  name: string;
  /** What is answered while it cannot be read. */
  unreadable: string;
  partOf: (
    fleets: AppContext["bindings"]["FLEETS"],
    workspace: string,
    server: string,
    after: Cursor | undefined,
  ) => Promise<FilePart<Row, Cursor> | undefined>;
  head: readonly string[];
  cellsOf: (row: Row) => readonly (string | number)[];
};

/** The file as a download; what is wrong where the workspace has no such server, or it cannot be read. */
export async function downloadOf<Row, Cursor>(
  context: Readonly<RouterContextProvider>,
  id: string,
  file: ServerFile<Row, Cursor>,
): Promise<Response> {
  const { FLEETS } = context.get(appContext).bindings;
  const workspace = openWorkspace(context);
  const read = (after: Cursor | undefined) => file.partOf(FLEETS, workspace.id, id, after);
  const answer = isServerId(id)
    ? await orUndefined(read(undefined).then((first) => ({ first })))
    : { first: undefined };
  if (answer?.first) {
    return new Response(csvStream(file, answer.first, read), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${file.name}"`,
      },
    });
  }
  const [words, status] = answer ? ["There is no such server.", 404] : [file.unreadable, 503];
  return new Response(`${words}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** One part is held at a time, however slowly the reader takes it. A part that fails breaks the file off. */
export function csvStream<Row, Cursor>(
  { name, head, cellsOf }: Pick<ServerFile<Row, Cursor>, "name" | "head" | "cellsOf">,
  first: FilePart<Row, Cursor>,
  read: (after: Cursor) => Promise<FilePart<Row, Cursor> | undefined>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let part: FilePart<Row, Cursor> | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(csvOf([head]))),
      async pull(controller) {
        if (!part) return controller.close();
        if (part.rows.length > 0) controller.enqueue(encoder.encode(csvOf(part.rows.map(cellsOf))));
        const { next } = part;
        part = undefined;
        if (next === undefined) return controller.close();
        try {
          part = await read(next);
        } catch (error) {
          log.error(`A file broke off: ${name}`, describeError(error));
          controller.error(error);
        }
      },
    },
    { highWaterMark: 0 },
  );
}
