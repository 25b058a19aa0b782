import { brand } from "~/content/chrome";
import { blog } from "~/content/reading";
import { textFile } from "~/http/answers";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { listArticles, listDocs } from "~/ui/reading/pages.server";
import type { Route } from "./+types/llms";

export const handle = { isPublic: true } satisfies RouteHandle;

/** llms.txt: where language models find documentation and blog as Markdown (https://llmstxt.org). */
export async function loader({ context }: Route.LoaderArgs) {
  const { SITE_URL } = context.get(appContext).configuration;
  const line = (path: string, title: string, description: string) =>
    `- [${title}](${SITE_URL}${path}): ${description}`;
  const groups = (await listDocs(context)).map(({ title, pages }) => ({
    title,
    lines: pages.map(({ to, label, description }) => line(`${to}.md`, label, description)),
  }));
  const articles = (await listArticles(context)).map(({ slug, title, description }) =>
    line(`/blog/${slug}.md`, title, description),
  );
  const description = line(
    "/api/openapi.json",
    "OpenAPI description",
    "The HTTP API of this site for programs, described for programs.",
  );
  return textFile([
    `# ${brand}`,
    "",
    "> Makes the files from which a machine on your own cloud account becomes a LiveKit server: Docker Compose, TLS, TURN, firewall, recording and ingest.",
    "",
    "Every page of the documentation and every article is also at its address with `.md` behind it. The machine, the media and the keys stay with the customer; LiveKit itself is an open-source project of others.",
    ...[...groups, { title: blog.title, lines: articles }].flatMap(({ title, lines }) => [
      "",
      `## ${title}`,
      "",
      ...lines,
    ]),
    "",
    "## Optional",
    "",
    description,
  ]);
}
