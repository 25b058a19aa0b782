import { Form, type FormProps } from "react-router";
import type { MemberIntent } from "./member-changes.server";

/** A form of the members page: about a member, an invitation, or neither. It works without JavaScript. */
export function MemberForm({
  intent,
  person,
  invitation,
  children,
  ...rest
}: {
  intent: MemberIntent;
  person?: string | undefined;
  invitation?: string;
} & Omit<FormProps, "action" | "method">) {
  return (
    <Form method="post" noValidate preventScrollReset {...rest}>
      <input type="hidden" name="intent" value={intent} />
      {person ? <input type="hidden" name="person" value={person} /> : null}
      {invitation ? <input type="hidden" name="invitation" value={invitation} /> : null}
      {children}
    </Form>
  );
}
