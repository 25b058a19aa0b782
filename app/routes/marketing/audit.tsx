import { useEffect } from "react";
import { AuditForm } from "~/features/audit/page/audit-form";
import { startIfRemembered } from "~/features/audit/page/start-audit.client";
import "~/features/move-in/from-audit.client";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { PageIntro } from "~/ui/primitives/page-intro";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/audit";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Audit a configuration",
    description:
      "What is wrong, insecure, outdated or slow in the files of your LiveKit server, with the reason and the lines that mend it. Nothing leaves your browser.",
    path: "/audit",
  });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export default function Audit() {
  // A link from a page with React leads here without a new document.
  useEffect(startIfRemembered, []);
  return (
    <div className="page">
      <PageIntro title="Audit a configuration">
        <p>
          Give the files of a LiveKit server, made by us or not: <code>livekit.yaml</code>,{" "}
          <code>docker-compose.yaml</code>, <code>caddy.yaml</code>, <code>nginx.conf</code> and
          what else it has. You read what is wrong, insecure, outdated or slow, why, and the lines
          that mend it.
        </p>
        <p className="mt-3">
          Nothing leaves your browser: this page sends no request once it is loaded. Secrets are
          masked in all that is shown and copied.
        </p>
      </PageIntro>
      <AuditForm
        moveIn={
          <TextLink to="/dashboard/deployments/move-in" className="text-ink" reloadDocument>
            Make a deployment of ours from these files
          </TextLink>
        }
      />
      <p className="mt-16 max-w-prose border-t border-line pt-8 text-ink-soft">
        The same audit runs on the command line and in CI, where it needs nothing beside Node: see{" "}
        <TextLink to="/docs/audit" className="text-ink">
          what it looks for, and how to run it
        </TextLink>
        .
      </p>
    </div>
  );
}
