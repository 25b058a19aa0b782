import type { ReactNode } from "react";
import { supportTexts } from "~/features/marketing/page-texts.server";
import { appContext } from "~/http/app-context";
import type { RouteHandle } from "~/http/route-handle";
import { pageMeta } from "~/seo/page-meta";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { CheckIcon, Icon, type IconProps } from "~/ui/primitives/icons";
import { MailLink } from "~/ui/primitives/mail-link";
import { PageIntro } from "~/ui/primitives/page-intro";
import type { Route } from "./+types/support";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Support",
    description: "Reach us by e-mail or chat, or find the answer in the documentation.",
    path: "/support",
  });

export const handle = { isPublic: true, isReading: true } satisfies RouteHandle;

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { SUPPORT_EMAIL, SUPPORT_CHAT_URL } = app.configuration;
  return { email: SUPPORT_EMAIL, chatUrl: SUPPORT_CHAT_URL, texts: await supportTexts(app) };
}

export default function Support({ loaderData }: Route.ComponentProps) {
  const { chatUrl, texts } = loaderData;
  const { title, intro, email, chat, documentation, include, security } = texts;
  return (
    <div className="page">
      <PageIntro title={title}>
        <p>{intro}</p>
      </PageIntro>
      <ul className="grid gap-6 lg:grid-cols-3">
        <Option
          {...email}
          icon={<EnvelopeIcon />}
          action={
            <LinkButton to={`mailto:${loaderData.email}`} className="w-full">
              {email.button}
            </LinkButton>
          }
        >
          <p className="mt-2">
            <MailLink email={loaderData.email} className="font-mono text-sm" />
          </p>
        </Option>
        <Option
          {...chat}
          expect={chatUrl ? chat.expect.staffed : chat.expect.unstaffed}
          icon={<ConversationIcon />}
          action={
            chatUrl ? (
              <LinkButton
                to={chatUrl}
                target="_blank"
                rel="noreferrer"
                variant="secondary"
                className="w-full"
              >
                {chat.button}
                <span className="sr-only"> (opens in a new tab)</span>
              </LinkButton>
            ) : (
              <LinkButton to="/contact?topic=support" variant="secondary" className="w-full">
                {chat.button}
              </LinkButton>
            )
          }
        />
        <Option
          {...documentation}
          icon={<ManualIcon />}
          action={
            <LinkButton to="/docs" variant="secondary" className="w-full">
              {documentation.button}
            </LinkButton>
          }
        />
      </ul>
      <section className="mt-16 grid gap-x-12 gap-y-6 border-t border-line pt-10 lg:grid-cols-[1fr_2fr]">
        <h2 className="text-xl">{include.title}</h2>
        <div>
          <ul className="grid gap-3">
            {include.items.map((item) => (
              <li key={item} className="flex gap-2.5">
                <CheckIcon className="mt-0.5 shrink-0 text-signal" />
                {item}
              </li>
            ))}
          </ul>
          <p className="mt-6 max-w-prose text-ink-soft">{include.never}</p>
        </div>
      </section>
      <section
        id="security"
        className="mt-12 grid scroll-mt-24 gap-x-12 gap-y-6 border-t border-line pt-10 lg:grid-cols-[1fr_2fr]"
      >
        <h2 className="text-xl">{security.title}</h2>
        <p className="max-w-prose text-ink-soft">{security.text}</p>
      </section>
    </div>
  );
}

function Option({
  title,
  text,
  expect,
  icon,
  action,
  children,
}: {
  title: string;
  text: string;
  expect: readonly string[];
  icon: ReactNode;
  action: ReactNode;
  children?: ReactNode;
}) {
  return (
    <Card as="li" className="flex flex-col">
      <span className="text-signal [&>svg]:size-8">{icon}</span>
      <h2 className="mt-5 text-xl">{title}</h2>
      <p className="mt-2 text-ink-soft">{text}</p>
      {children}
      <h3 className="mt-5 border-t border-line pt-5 text-sm">What to expect</h3>
      <ul className="mt-2 mb-8 grid list-disc gap-1.5 pl-4 text-sm marker:text-ink-soft">
        {expect.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className="mt-auto">{action}</div>
    </Card>
  );
}

// Apart from the icons that every page has in its script.

const EnvelopeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 6.5h17v12h-17zM3.5 7l8.5 6.5L20.5 7" />
  </Icon>
);

const ConversationIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3.5 4.5h12v8.5H9l-3 3v-3H3.5zM18.5 9h2v8.5H18v2.8l-3-2.8h-4" />
  </Icon>
);

const ManualIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 6.5C10 5 7 4.5 3.5 4.5V18c3.5 0 6.5.5 8.5 2 2-1.5 5-2 8.5-2V4.5C17 4.5 14 5 12 6.5zM12 6.5V20" />
  </Icon>
);
