import type { ReactNode } from "react";
import { type PostedForm, UserPageContext } from "./use-own-change";

/** A page of the console with parts of the public page, closer together and without its margins. */
export function ConsolePage({
  title,
  posted,
  children,
}: {
  title: string;
  posted: PostedForm | undefined;
  children: ReactNode;
}) {
  return (
    <UserPageContext value={{ posted }}>
      <div className="pt-8 [&_.page]:px-0 [&_.page]:py-10 [&_.page_h2]:text-xl">
        <h1 className="text-2xl">{title}</h1>
        {children}
      </div>
    </UserPageContext>
  );
}
