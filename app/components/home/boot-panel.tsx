import { heroDeployment, ports } from "~/content/home";

/**
 * The instrument of the hero: the files of a deployment, one of them open, and the ports as they
 * open. It shows real formats for an example domain.
 */
export function BootPanel() {
  const { domain, files, shown, lines } = heroDeployment;
  return (
    <figure className="boot-panel overflow-hidden rounded-lg border border-line-strong bg-raised font-mono text-sm">
      <figcaption className="flex items-center justify-between gap-4 border-b border-line px-4 py-3">
        <span>{domain}</span>
        <span className="flex items-center gap-2 text-signal">
          <span className="size-2 rounded-full bg-signal" aria-hidden="true" />
          example
        </span>
      </figcaption>
      <div className="grid sm:grid-cols-[auto_1fr]">
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
                {key}
                <span className="text-ink-soft">:</span>
                {value ? <span className="text-signal"> {value}</span> : null}
              </span>
            ))}
          </code>
        </pre>
      </div>
      <ul
        aria-label="Ports that open"
        className="flex flex-wrap gap-x-5 gap-y-2 border-t border-line px-4 py-3"
      >
        {ports.slice(0, 5).map(({ port, protocol }) => (
          <li key={port} className="boot-port flex items-center gap-2">
            <span className="size-1.5 rounded-full bg-signal" aria-hidden="true" />
            {port}
            <span className="text-ink-soft">{protocol.toLowerCase()}</span>
          </li>
        ))}
      </ul>
    </figure>
  );
}
