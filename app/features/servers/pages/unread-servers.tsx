import { Message } from "~/ui/primitives/message";
import type { NamedServer } from "./known-servers.server";

/** What a list says while the servers Worker cannot be reached: which servers there are. */
export function UnreadServers({ known }: { known: readonly NamedServer[] }) {
  return (
    <>
      <Message kind="warning" className="mt-4">
        Your servers cannot be read right now. They run as before. Please try again in a moment.
      </Message>
      {known.length > 0 ? (
        <ul className="mt-4 border-t border-line">
          {known.map(({ id, name }) => (
            <li key={id} className="border-b border-line py-3 wrap-anywhere">
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
