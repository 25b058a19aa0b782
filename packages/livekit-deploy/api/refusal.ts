import * as z from "zod/mini";
import { Failure } from "../command.ts";
import { plain } from "../text.ts";

const problem = z.object({
  ...{ status: z.number(), code: z.string(), detail: z.string() },
  errors: z.optional(
    z.array(
      z.object({
        ...{ pointer: z.optional(z.string()), parameter: z.optional(z.string()) },
        detail: z.string(),
      }),
    ),
  ),
  request_id: z.optional(z.string()),
});
type Problem = z.output<typeof problem>;

/** A problem of the API; undefined where a text is none. */
export function problemIn(text: string): Problem | undefined {
  try {
    return problem.safeParse(JSON.parse(text)).data;
  } catch {
    return;
  }
}

/** A call that the API refused, in sentences. */
export class Refusal extends Failure {
  readonly code: string;

  constructor({ status, code, detail, errors = [], request_id }: Problem) {
    const faults = errors.map(
      ({ pointer, parameter, detail }) => `\n  ${placeOf(pointer) ?? parameter ?? ""}: ${detail}`,
    );
    const said = `${detail}${faults.join("")}`;
    const request = request_id === undefined ? "" : `, request ${request_id}`;
    super(plain(`${said}${faults.length > 0 ? "\n" : " "}(${status} ${code}${request})`));
    this.code = code;
  }
}

/** A JSON pointer into the body as the file has it: `#/options/rooms/departure` is `rooms.departure`. */
function placeOf(pointer: string | undefined): string | undefined {
  const parts = pointer?.replace(/^#\/(options\/)?/, "").split("/");
  return parts?.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}
