import { Card } from "~/ui/primitives/card";
import { CopyButton } from "~/ui/primitives/copy-button";

/** A command or a value with a button that copies it. Long lines wrap between words. */
export function CommandBox({ text, label }: { text: string; label: string }) {
  return (
    <Card flush className="flex items-start gap-2 py-1 pr-1 pl-4">
      <pre className="min-w-0 grow py-2.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </Card>
  );
}
