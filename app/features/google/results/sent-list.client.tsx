import { localMomentOf } from "~/ui/dates";
import { TextLink } from "~/ui/primitives/text-link";
import type { SentList } from "../mail/mail-results";
import type { ViewProps } from "./view";

/** The messages that were sent last, newest first. */
export function SentListView({ result }: ViewProps) {
  if (!result) return null;
  const { messages } = result as SentList;
  if (messages.length === 0) return <p>Nothing was sent yet.</p>;
  return (
    <ol aria-label="Sent messages" className="border-b border-line">
      {messages.map(({ id, at, to, subject, href }) => (
        <li key={id} className="border-t border-line py-3">
          <TextLink to={href} target="_blank" rel="noreferrer">
            {subject || "(no subject)"}
          </TextLink>
          <p className="break-words text-sm text-ink-soft">
            To {to || "nobody"}, {localMomentOf(new Date(at))}
          </p>
        </li>
      ))}
    </ol>
  );
}
