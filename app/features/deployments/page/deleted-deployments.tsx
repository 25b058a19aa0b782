import { Form } from "react-router";
import { TextButton } from "~/ui/primitives/text-link";
import type { DeletedDeployment } from "../record/deleted-deployments.server";

/** What was deleted lately, with the way to restore it. */
export function DeletedDeployments({
  deployments,
  obstacle,
}: {
  deployments: readonly DeletedDeployment[];
  /** Why none can be restored now. */
  obstacle: string | undefined;
}) {
  if (deployments.length === 0) return null;
  return (
    <section aria-labelledby="deleted" className="mt-12">
      <h2 id="deleted" className="text-lg">
        Deleted
      </h2>
      {obstacle ? <p className="mt-2 max-w-prose text-sm text-ink-soft">{obstacle}</p> : null}
      <ul className="mt-4 border-t border-line">
        {deployments.map(({ id, name, until }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-8 border-b border-line py-2"
          >
            <p className="min-w-0 wrap-anywhere">
              {name}
              <span className="ml-3 text-sm text-ink-soft">until {until}</span>
            </p>
            {obstacle ? null : (
              <Form method="post">
                <TextButton
                  type="submit"
                  name="restore"
                  value={id}
                  variant="standalone"
                  aria-label={`Restore ${name}`}
                >
                  Restore
                </TextButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
