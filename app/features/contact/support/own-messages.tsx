import { contactTopics } from "~/content/contact";
import { useConsoleBase } from "~/ui/console/console-path";
import { dayOf } from "~/ui/dates";
import { Badge } from "~/ui/primitives/badge";
import { Card } from "~/ui/primitives/card";
import { TextLink } from "~/ui/primitives/text-link";
import type { SupportMessage } from "./own-messages.server";

/** What the person wrote from their account, and what was answered. */
export function SupportMessages({ messages }: { messages: readonly SupportMessage[] }) {
  const base = useConsoleBase();
  return (
    <ol className="grid gap-4">
      {messages.map(({ id, topic, message, writtenAt, isAnswered, about, answers }) => (
        <Card as="li" key={id} className="grid gap-3">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
            <span className="font-strong text-ink">
              {contactTopics.find(({ value }) => value === topic)?.label}
            </span>
            <time dateTime={writtenAt}>{dayOf(writtenAt)}</time>
            {about ? (
              <span>
                <TextLink to={`${base}/deployments/${about.id}`}>{about.name}</TextLink>, v
                {about.version}
              </span>
            ) : null}
            <Badge variant={isAnswered ? "success" : "neutral"}>
              {isAnswered ? "Answered" : "Waiting for an answer"}
            </Badge>
          </div>
          <p className="max-w-prose whitespace-pre-wrap wrap-anywhere">{message}</p>
          {answers.map((answer) => (
            <div key={answer.id} className="border-l-2 border-signal pl-4">
              <p className="text-sm text-ink-soft">
                Our answer of <time dateTime={answer.writtenAt}>{dayOf(answer.writtenAt)}</time>
              </p>
              <p className="mt-1 max-w-prose whitespace-pre-wrap wrap-anywhere">{answer.text}</p>
            </div>
          ))}
        </Card>
      ))}
    </ol>
  );
}
