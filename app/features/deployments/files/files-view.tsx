import { Link } from "react-router";
import { Card } from "~/ui/primitives/card";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Code } from "./code";

type Entry = { path: string; purpose: string };

export type OpenFile = Entry & { content: string; language: string; withoutSecrets: boolean };

/** The files of a deployment, one of them open. Which one is in the address. */
export function FilesView({
  files,
  openFile,
  fileAddress,
}: {
  files: readonly Entry[];
  openFile: OpenFile;
  /** Where one file can be had by itself. */
  fileAddress: (path: string) => string;
}) {
  return (
    <Card
      variant="strong"
      flush
      className="grid overflow-hidden lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <nav
        aria-label="Files of the bundle"
        className="max-h-60 overflow-y-auto border-line py-2 max-lg:border-b lg:max-h-[42rem] lg:border-r"
      >
        <ul>
          {files.map(({ path }) => (
            <li key={path}>
              <Link
                to={`?${new URLSearchParams({ file: path })}`}
                preventScrollReset
                aria-current={path === openFile.path ? "true" : undefined}
                className="block min-h-11 border-l-2 border-transparent px-4 py-2.5 font-mono text-sm wrap-anywhere text-ink-soft hover:bg-well hover:text-ink aria-[current]:border-signal aria-[current]:bg-well aria-[current]:text-ink"
              >
                {path}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article aria-labelledby="shown-file" className="flex min-w-0 flex-col">
        <header className="border-b border-line px-4 py-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h3 id="shown-file" className="font-mono text-base tracking-normal wrap-anywhere">
              {openFile.path}
            </h3>
            <div className="-mr-3 flex flex-wrap items-center max-sm:-ml-3">
              <CopyButton text={openFile.content} label={`Copy ${openFile.path}`} />
              {openFile.withoutSecrets ? null : (
                <a
                  href={`${fileAddress(openFile.path)}?download`}
                  download={openFile.path}
                  aria-label={`Download ${openFile.path}`}
                  className="inline-flex min-h-11 items-center rounded-md px-3 text-sm font-strong hover:bg-well"
                >
                  Download
                </a>
              )}
            </div>
          </div>
          <p className="text-sm text-ink-soft">
            {`${openFile.purpose}${
              openFile.withoutSecrets
                ? " Shown without the secrets, which only your browser will know."
                : ""
            }`}
          </p>
        </header>
        <Code
          content={openFile.content}
          language={openFile.language}
          label={`Content of ${openFile.path}`}
        />
      </article>
    </Card>
  );
}
