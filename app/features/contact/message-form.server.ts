import * as z from "zod/mini";
import { contactLimits, contactTopics } from "~/content/contact";

/** What was typed, exactly, so that a form that failed can show it again. */
export type TypedMessage = { name: string; email: string; topic: string; message: string };

export type ContactMessage = z.output<typeof contactMessage>;
export type MessageErrors = Partial<Record<keyof TypedMessage, string>>;

const { message: length } = contactLimits;
const topics = contactTopics.map(({ value }) => value);
const controls = /\p{Cc}+/gu;

/** One line: nothing in it can end a mail header or a database's text. */
const oneLine = z.pipe(
  z.string(),
  z.transform((typed) => typed.replace(controls, " ").trim()),
);
/** Several lines: browsers send CR LF, and count a line's end as one character. */
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
      z.refine((message) => characters(message) >= length.least, {
        error: `Write at least ${length.least} characters.`,
      }),
      z.refine((message) => characters(message) <= length.most, {
        error: ({ input }) =>
          `Use at most ${amount(length.most)} characters. These are ${amount(characters(String(input)))}.`,
      }),
    ),
  ),
});

/** Characters as a person and the database count them: an emoji is one, not two. */
function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function amount(count: number): string {
  return count.toLocaleString("en-US");
}

/** The fields as they were typed, unchecked; what is missing is "". */
export function typedMessage(form: URLSearchParams): TypedMessage {
  const typed = (name: string) => form.get(name) ?? "";
  return {
    name: typed("name"),
    email: typed("email"),
    topic: typed("topic"),
    message: typed("message"),
  };
}

/** A message that may be kept, or the first thing wrong with each field. */
export function checkMessage(
  typed: TypedMessage,
): { ok: true; message: ContactMessage } | { ok: false; errors: MessageErrors } {
  const result = contactMessage.safeParse(typed);
  if (result.success) return { ok: true, message: result.data };
  const errors: MessageErrors = {};
  for (const { path, message } of result.error.issues) {
    const field = path[0] as keyof TypedMessage;
    errors[field] ??= message;
  }
  return { ok: false, errors };
}
