import type { ReactNode } from "react";

/** What a deployment is called and where its server is, beside the things that are done with it most. */
export function DeploymentHeader({
  name,
  made,
  children,
}: {
  name: string;
  /** Undefined where the choices no longer make a server. */
  made: { domain: string; place: readonly string[] } | undefined;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
      <div className="min-w-0">
        <h1 className="text-2xl break-words">{name}</h1>
        <p className="mt-2 font-mono text-sm wrap-anywhere text-ink-soft">
          {made ? <span className="text-ink">{made.domain}</span> : null}
          {made?.place.map((part) => (
            <span key={part}>
              <span aria-hidden="true"> · </span>
              {part}
            </span>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">{children}</div>
    </div>
  );
}
