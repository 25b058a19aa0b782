import * as z from "zod/mini";
import { contactLimits, contactTopics } from "~/content/contact";

/** The fields exactly as they were typed, so that a refused form can show them again. */
export type MessageValues = { name: string; email: string; topic: string; message: string };

export type ContactMessage = z.output<typeof contactMessage>;
export type MessageErrors = Partial<Record<keyof MessageValues, string>>;

const { message: length } = contactLimits;
const topics = contactTopics.map(({ value }) => value);
const controls = /\p{Cc}+/gu;

/** One line, without control characters: a line break could add a mail header, and PostgreSQL refuses NUL. */
const oneLine = z.pipe(
  z.string(),
  z.transform((typed) => typed.replace(controls, " ").trim()),
);
/** Several lines. Browsers send CR LF but count a line break as one character, so it becomes LF. */
const severalLines = z.pipe(
  z.string(),
  z.transform((typed) =>
    typed
      .replace(/\r\n?/g, "\n")
      .replace(controls, (found) => found.replace(/[^\n\t]/g, ""))
      .trim(),
  ),
);

const contactMessage = z.object({
  name: z.pipe(
    oneLine,
    z.string().check(
      z.minLength(1, "Write your name."),
      z.refine((name) => characters(name) <= contactLimits.name, {
        error: `Use at most ${contactLimits.name} characters.`,
      }),
    ),
  ),
  email: z.pipe(
    oneLine,
    z
      .string()
      .check(
        z.minLength(1, "Write the e-mail address that we should answer to."),
        z.maxLength(contactLimits.email, `Use at most ${contactLimits.email} characters.`),
        z.email({ error: "Write an e-mail address like name@example.com.", abort: true }),
      ),
  ),
  topic: z.enum(topics, { error: "Choose a topic." }),
  message: z.pipe(
    severalLines,
    z.string().check(
      z.refine((message) => characters(message) >= length.minLength, {
        error: `Write at least ${length.minLength} characters.`,
      }),
      z.refine((message) => characters(message) <= length.maxLength, {
        error: ({ input }) =>
          `Use at most ${amount(length.maxLength)} characters. These are ${amount(characters(String(input)))}.`,
      }),
    ),
  ),
});

/** The number of characters as the database counts them: an emoji is one and not two. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function amount(count: number): string {
  return count.toLocaleString("en-US");
}

/** The fields as they were typed, unchecked; a missing one is "". */
export function messageValues(form: URLSearchParams): MessageValues {
  const value = (name: string) => form.get(name) ?? "";
  return {
    name: value("name"),
    email: value("email"),
    topic: value("topic"),
    message: value("message"),
  };
}

/** The checked message, or the first error of each field. */
export function checkMessage(
  values: MessageValues,
): { ok: true; message: ContactMessage } | { ok: false; errors: MessageErrors } {
  const result = contactMessage.safeParse(values);
  if (result.success) return { ok: true, message: result.data };
  const errors: MessageErrors = {};
  for (const { path, message } of result.error.issues) {
    const field = path[0] as keyof MessageValues;
    errors[field] ??= message;
  }
  return { ok: false, errors };
}
