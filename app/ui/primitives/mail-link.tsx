import { TextLink } from "./text-link";

/** A link that opens the visitor's mail program. A long address breaks after its @ first. */
export function MailLink({ email, className = "" }: { email: string; className?: string }) {
  const [name, domain] = email.split("@");
  return (
    <TextLink to={`mailto:${email}`} className={`wrap-anywhere ${className}`}>
      {name}@<wbr />
      {domain}
    </TextLink>
  );
}
