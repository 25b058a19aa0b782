import * as z from "zod";

const wish = z.strictObject({
  /** As the site asks: `/auth/v1/otp`, or `/auth/v1/token?grant_type=pkce` for one grant alone. */
  path: z.string().startsWith("/"),
  method: z.string().optional(),
  status: z.int().min(400).max(599),
  error_code: z.string(),
  msg: z.string(),
  /** How many requests are refused; one by default. */
  times: z.int().positive().default(1),
});

type Refusal = z.output<typeof wish>;

/** An error as Supabase Auth writes it. */
export function refusal(status: number, error_code: string, msg: string): Response {
  return Response.json(
    { code: status, error_code, msg },
    { status, headers: { "x-sb-error-code": error_code } },
  );
}

/** Errors that a test has asked for, such as those of a project with other settings than the fake's. */
export class Refusals {
  #wanted: Refusal[] = [];

  clear(): void {
    this.#wanted = [];
  }

  /** `POST /_local/refuse` with path, status, error_code and msg: the next such request is refused. */
  async add(request: Request): Promise<Response> {
    const parsed = wish.safeParse(await request.json().catch(() => undefined));
    if (!parsed.success) return Response.json({ error: parsed.error.message }, { status: 400 });
    this.#wanted.push(parsed.data);
    return Response.json({ refused: parsed.data.path });
  }

  /** What the request is refused with, or undefined. */
  answer(request: Request): Response | undefined {
    const found = this.#wanted.find((each) => concerns(each, request));
    if (!found) return;
    found.times -= 1;
    if (found.times === 0) this.#wanted = this.#wanted.filter((each) => each !== found);
    return refusal(found.status, found.error_code, found.msg);
  }
}

function concerns({ path, method }: Refusal, request: Request): boolean {
  const url = new URL(request.url);
  const refusedUrl = new URL(path, url);
  return (
    url.pathname === refusedUrl.pathname &&
    (method === undefined || method === request.method) &&
    [...refusedUrl.searchParams].every(([name, value]) => url.searchParams.get(name) === value)
  );
}
