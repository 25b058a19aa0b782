import { Card } from "~/ui/primitives/card";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Code } from "../files/code";

/** Code below its name, copied by one press. */
export function CodeBox({
  name,
  content,
  language,
}: {
  name: string;
  content: string;
  language: string;
}) {
  return (
    <Card variant="strong" flush className="overflow-hidden">
      <div className="flex items-center justify-between gap-x-4 border-b border-line py-1 pr-1 pl-4">
        <span className="font-mono text-sm break-all">{name}</span>
        <CopyButton text={content} label={`Copy ${name}`} />
      </div>
      <Code content={content} language={language} label={`Content of ${name}`} />
    </Card>
  );
}
