import { data } from "react-router";
import { brand } from "~/content/chrome";
import { failureAdvice } from "~/features/deployments/connection-test/failure-advice";
import { findTestLink } from "~/features/deployments/connection-test/linked-test.server";
import { LinkedTest } from "~/features/deployments/connection-test/linked-test-view";
import {
  keepLinkedResult,
  notAResult,
  type ResultAnswer,
  readResult,
  resultNotKept,
  withOutside,
} from "~/features/deployments/connection-test/results.server";
import { targetOf } from "~/features/deployments/public-name.server";
import { appContext, pagePermissions } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { tooOften, withinLimit } from "~/http/rate-limit.server";
import { drawsShell } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import { BrandMark } from "~/ui/chrome/brand";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/linked-test";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Connection test") },
  { name: "robots", content: "noindex" },
];

/** Nothing leads from here to another page within this document, whose policy allows less than theirs. */
export const handle = drawsShell;

const refusals = {
  unknown: [404, "There is no such test. Look whether the whole link was copied."],
  ended: [410, "This link has ended. Ask whoever gave it to you for a new one."],
  full: [410, "This link was used up: fifty results came by it. Ask for a new one."],
  "too-often": [429, tooOften],
  unavailable: [503, "The test cannot be loaded right now. Please try again in a moment."],
} as const;

function refused(why: keyof typeof refusals) {
  const [status, message] = refusals[why];
  return data({ server: undefined, message }, { status });
}

/**
 * Whoever has the link may test, without an account. The token of the test stands in the fragment of the address, which
 * browsers send to nobody. The page's headers let scripts connect to the one server of the link's deployment, where its
 * name leads to the public internet.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const app = context.get(appContext);
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return refused("too-often");
  const found = await findTestLink(app, params.link);
  if (found.state !== "open") return refused(found.state);
  const { server } = found;
  const target = await targetOf(app.configuration, server.domain);
  if (target === "none" || target === "private") {
    const outside = target === "none" ? "no-address" : "private";
    const { title, tester } = failureAdvice("unreachable", { ...server, outside });
    return { server: undefined, message: [title, ...tester].join(" ") };
  }
  if (target !== "public") return refused("unavailable");
  context.set(pagePermissions, { host: server.domain, isAlone: true });
  return { server, message: "" };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const answer = (status: number, sent: ResultAnswer) => data(sent, { status });
  const refusal = (why: keyof typeof refusals) =>
    answer(refusals[why][0], { message: refusals[why][1] });
  if (!(await withinLimit(app, "LOOK_LIMIT", request))) return refusal("too-often");
  const result = readResult(await readForm(request));
  if (!result) return answer(400, { message: notAResult });
  const found = await findTestLink(app, params.link);
  if (found.state === "unavailable") return answer(503, { message: resultNotKept });
  if (found.state !== "open") return refusal(found.state);
  const stored = await withOutside(app, result, {
    domain: found.server.domain,
    address: found.address,
  });
  const seen = stored.outside ? { outside: stored.outside } : {};
  const outcome = await keepLinkedResult(app, params.link, stored);
  if (outcome === "kept") return answer(200, seen);
  if (outcome === "unavailable") return answer(503, { ...seen, message: resultNotKept });
  const [status, message] = refusals[outcome === "full" ? "full" : "ended"];
  return answer(status, { ...seen, message });
}

/** What a test found stays on the screen, whatever became of the link meanwhile. */
export const shouldRevalidate = () => false;

export default function LinkedTestPage({ loaderData }: Route.ComponentProps) {
  return (
    <main className="page flex items-start justify-center pt-12 pb-20">
      <div className="w-full max-w-prose">
        <p className="mb-6 flex items-center gap-2.5 font-strong">
          <BrandMark />
          {brand}
        </p>
        <h1 className="text-2xl">Connection test</h1>
        {loaderData.server ? (
          <LinkedTest server={loaderData.server} />
        ) : (
          <Message kind="failure" className="mt-5">
            {loaderData.message}
          </Message>
        )}
        <p className="mt-10 text-sm">
          <TextLink to="/privacy" reloadDocument>
            Privacy
          </TextLink>
        </p>
      </div>
    </main>
  );
}
