import { Card } from "~/ui/primitives/card";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Breakable } from "./breakable";

/** A command or a value with a button that copies it. */
export function CommandBox({ text, label }: { text: string; label: string }) {
  return (
    <Card flush className="flex items-start gap-x-2 py-1 pr-1 pl-4 max-sm:flex-wrap">
      <pre className="min-w-0 grow py-2.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        <Breakable text={text} />
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </Card>
  );
}
