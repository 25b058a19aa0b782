import { useState } from "react";
import { CopyButton } from "~/ui/primitives/copy-button";
import type { BundleFile } from "../bundle/bundle-types";
import { Code } from "./code";

/** Files that were made in this browser, one of them open. */
export function BrowsedFiles({
  files,
  first,
  isShort,
}: {
  files: readonly BundleFile[];
  /** The path of the file that is open to begin with. */
  first: string;
  /** For a panel that must fit a screen together with what is around it. */
  isShort?: boolean;
}) {
  const [path, setPath] = useState(first);
  const openFile = files.find((file) => file.path === path) ?? files[0];
  if (!openFile) return null;
  return (
    <div className="grid grid-cols-1 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <ul
        aria-label="Files of the bundle"
        className={`max-h-48 overflow-y-auto border-line py-2 max-sm:border-b sm:border-r ${isShort ? "sm:max-h-72" : "sm:max-h-[26rem]"}`}
      >
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              aria-current={file === openFile ? "true" : undefined}
              onClick={() => setPath(file.path)}
              className="min-h-9 w-full border-l-2 border-transparent px-4 py-1 text-left font-mono text-sm break-all text-ink-soft hover:bg-well hover:text-ink aria-[current]:border-signal aria-[current]:bg-well aria-[current]:text-ink"
            >
              {file.path}
            </button>
          </li>
        ))}
      </ul>
      <div className="flex min-w-0 flex-col">
        <div className="flex items-start justify-between gap-3 border-b border-line py-1 pr-1 pl-4">
          <p className="py-2.5 font-sans text-sm text-ink-soft">{openFile.purpose}</p>
          <CopyButton text={openFile.content} label={`Copy ${openFile.path}`} />
        </div>
        <Code
          content={openFile.content}
          language={openFile.language}
          label={`Content of ${openFile.path}`}
          height={isShort ? "max-h-[14.5rem]" : "max-h-[22rem]"}
        />
      </div>
    </div>
  );
}
