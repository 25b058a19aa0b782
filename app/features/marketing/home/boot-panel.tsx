import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import type { Home } from "../page-texts.server";

/**
 * The instrument of the hero: the files of a deployment, one of them open, and the ports as they
 * open. It begins with real formats for an example domain; a visitor's own domain is made into the
 * real files by `boot-panel.client.ts`, which needs no React until then.
 */
export function BootPanel(texts: Home) {
  return (
    <Card
      as="figure"
      variant="strong"
      flush
      className="boot-panel min-w-0 overflow-hidden font-mono text-sm"
    >
      <form
        data-makes-files
        className="flex flex-wrap gap-2 border-b border-line bg-well p-3 not-scripted:hidden"
      >
        <input
          name="domain"
          aria-label="Your domain"
          placeholder="Your domain"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="h-11 min-w-0 grow basis-40 rounded-md border border-line-strong bg-raised px-3.5 text-base placeholder:text-ink-soft"
        />
        <Button type="submit" variant="secondary" className="font-sans">
          See your files
        </Button>
      </form>
      <p role="alert" hidden className="p-4 text-failure">
        The generator could not be loaded. Load the page again: the site may have changed since.
      </p>
      <div data-own-files />
      <div data-example-files className="flex flex-col">
        <Example {...texts} />
      </div>
    </Card>
  );
}

function Example({ heroDeployment: { domain, files, shown, lines }, ports }: Home) {
  return (
    <>
      <p className="flex items-center justify-between gap-4 border-b border-line px-4 py-3">
        <span>{domain}</span>
        <span className="flex items-center gap-2 text-signal">
          <span className="size-2 rounded-full bg-signal" aria-hidden="true" />
          example
        </span>
      </p>
      <div className="grid max-sm:order-1 sm:grid-cols-[auto_1fr]">
        <ul
          aria-label="Files of the bundle"
          className="border-line py-3 max-sm:border-b sm:border-r"
        >
          {files.map((file) => (
            <li
              key={file}
              className={`px-4 py-1 ${file === shown ? "bg-well text-ink" : "text-ink-soft"}`}
            >
              {file}
            </li>
          ))}
        </ul>
        <pre className="overflow-x-auto px-4 py-3 leading-relaxed">
          <code>
            {lines.map(([key, value]) => (
              <span key={key} className="block">
                <span>{key}</span>
                <span className="text-ink-soft">:</span>
                {value ? <span className="text-signal"> {value}</span> : null}
              </span>
            ))}
          </code>
        </pre>
      </div>
      <ul
        aria-label="Ports that open"
        className="flex flex-wrap gap-x-5 gap-y-2 border-line px-4 py-3 max-sm:border-b sm:border-t"
      >
        {ports.slice(0, 5).map(({ port, protocol }) => (
          <li key={port} className="boot-port flex items-center gap-2">
            <span className="size-1.5 rounded-full bg-signal" aria-hidden="true" />
            {port}
            <span className="text-ink-soft">{protocol.toLowerCase()}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
