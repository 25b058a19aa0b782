import { data } from "react-router";
import { readLanguages } from "~/features/deployments/connect/chosen-languages.server";
import { CodeBox } from "~/features/deployments/connect/code-box";
import { clientLanguages, serverLanguages } from "~/features/deployments/connect/languages";
import {
  environmentBlock,
  type Snippet,
  snippetBelow,
} from "~/features/deployments/connect/snippets";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { CommandBox } from "~/features/deployments/page/command-box";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { useMay } from "~/features/workspaces/roles";
import { appContext } from "~/http/app-context";
import { fetchAsset } from "~/http/assets.server";
import { pageTitle } from "~/seo/page-meta";
import { useConsoleBase } from "~/ui/console/console-path";
import { OnThisPage } from "~/ui/console/on-this-page";
import { Section } from "~/ui/console/section";
import { LinkButton } from "~/ui/primitives/button";
import { Tabs } from "~/ui/primitives/tabs";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/connect";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Connect your app") },
  { name: "robots", content: "noindex" },
];

export const handle = deploymentHandle({ path: "connect", label: "Connect" });

export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const app = context.get(appContext);
  const { id, name, stored } = foundOrThrow(await findDeployment(args));
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const { domain } = stored.options;
  const { chosen, remember } = await readLanguages(request, app);
  const page = async (path: string) => (await fetchAsset(path, app)).text();
  const [tokens, clients] = await Promise.all([page("/docs/tokens.md"), page("/docs/connect.md")]);
  const made = {
    domain,
    chosen,
    server: snippetBelow(serverLanguages[chosen.server].heading, tokens, domain),
    client: snippetBelow(clientLanguages[chosen.client].heading, clients, domain),
  };
  return data({ id, name, made }, remember ? { headers: { "set-cookie": remember } } : {});
}

export default function Connect({ loaderData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const mayAct = useMay("servers");
  const { id, made } = loaderData;
  return (
    <div className="pt-8">
      <h1 className="text-2xl">Connect your app</h1>
      <p className="mt-3 max-w-prose text-ink-soft">
        An app needs two things: the address of your server, and a token that your back end makes.
      </p>
      <p className="mt-6 flex flex-wrap gap-3">
        <LinkButton to={`${base}/deployments/${id}/call`} reloadDocument variant="secondary">
          Make a test call
        </LinkButton>
        <LinkButton
          to={`${base}/deployments/${id}/connection-test`}
          reloadDocument
          variant="secondary"
        >
          Test a network
        </LinkButton>
        {mayAct ? (
          <LinkButton to={`${base}/deployments/${id}/rooms`} reloadDocument variant="secondary">
            See live rooms
          </LinkButton>
        ) : null}
      </p>
      <OnThisPage sections={sections} />
      <Snippets {...made} />
    </div>
  );
}

const sections: readonly [id: string, title: string][] = [
  ["address", "Address"],
  ["environment", "Environment"],
  ["tokens", "Tokens"],
  ["clients", "Your app"],
];

function Snippets({ domain, chosen, server, client }: Route.ComponentProps["loaderData"]["made"]) {
  const address = `wss://${domain}`;
  return (
    <div>
      <Section
        id="address"
        title="Address"
        detail="What every client connects to. Nothing goes behind it: no path and no port."
      >
        <CodeBox name="LIVEKIT_URL" content={address} language="text" />
      </Section>
      <Section
        id="environment"
        title="Environment"
        detail="For your back end alone. Whoever has the secret can join and end every call."
      >
        <CodeBox name=".env" content={environmentBlock(domain)} language="text" />
        <p className="mt-5 mb-3 text-sm text-ink-soft">
          Key and secret are on your server, and not with us. This command shows them there:
        </p>
        <CommandBox text="sudo livekit-deploy credentials" label="the command" />
      </Section>
      <Section
        id="tokens"
        title="Tokens"
        detail="Your back end makes one for each person who may join."
      >
        <Tabs
          label="Language of your back end"
          tabs={tabsOf(serverLanguages, (language) => [language, chosen.client])}
          current={chosen.server}
        >
          <SnippetView snippet={server} page={serverLanguages[chosen.server].page} />
        </Tabs>
      </Section>
      <Section id="clients" title="Your app" detail="It joins with the address and such a token.">
        <Tabs
          label="Platform of your app"
          tabs={tabsOf(clientLanguages, (language) => [chosen.server, language])}
          current={chosen.client}
        >
          <SnippetView snippet={client} page={clientLanguages[chosen.client].page} />
        </Tabs>
        <p className="mt-6 text-sm text-ink-soft">
          Connected, but nothing to hear?{" "}
          <TextLink to="/docs/connect#connected-but-nothing-to-hear-or-see">
            What to look at, in order
          </TextLink>
        </p>
      </Section>
    </div>
  );
}

/** A tab for each language; its address names the languages of both lists. */
function tabsOf<Id extends string>(
  languages: Readonly<Record<Id, { heading: string }>>,
  namesFor: (id: Id) => readonly string[],
) {
  return Object.entries<{ heading: string }>(languages).map(([key, { heading }]) => {
    const id = key as Id;
    const to = `?${new URLSearchParams(namesFor(id).map((name) => ["for", name]))}`;
    return { id, label: heading, to };
  });
}

/** Code for one language: which package it needs, the code itself, and where more about it is. */
function SnippetView({
  snippet: { about, file, language, code },
  page,
}: {
  snippet: Snippet;
  page: string;
}) {
  const parts = about.split("`").map((text, place) => ({ text, isName: place % 2 === 1 }));
  return (
    <>
      <p className="mb-4 text-sm text-ink-soft wrap-anywhere">
        {parts.map(({ text, isName }) =>
          isName ? (
            <code key={text} className="font-mono text-ink">
              {text}
            </code>
          ) : (
            text
          ),
        )}
      </p>
      <CodeBox name={file} content={code} language={language} />
      <TextLink to={page} variant="standalone" className="mt-2 text-sm">
        More about it in the documentation
      </TextLink>
    </>
  );
}
