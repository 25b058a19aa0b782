import { AsyncLocalStorage } from "node:async_hooks";

const errorsOfRequest = new AsyncLocalStorage<Error[]>();
let installed = false;

function collectInsteadOfPrinting(): void {
  if (installed) return;
  installed = true;
  const print = console.error;
  console.error = (...parts: unknown[]) => {
    const errors = errorsOfRequest.getStore();
    const error = parts.find((part) => part instanceof Error);
    if (errors && error) errors.push(error);
    else print(...parts);
  };
}

/**
 * The embedded server prints every error of the database with its stack, also those that its
 * answer reports, such as a refused permission. Here one line is printed, and only for a 5xx.
 */
export async function withQuietErrors(respond: () => Promise<Response>): Promise<Response> {
  collectInsteadOfPrinting();
  const errors: Error[] = [];
  const response = await errorsOfRequest.run(errors, respond);
  if (response.status >= 500) {
    for (const { message } of errors) console.error(`Supabase fake: ${message}`);
  }
  return response;
}
