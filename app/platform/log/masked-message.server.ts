/** A message is cut to the first length before it is searched, and the masked one to the second. */
const maxRead = 2_000;
const maxMasked = 300;

/** An e-mail address, also as it stands in a URL. */
const address = /[^\s<>"'@]+(?:@|%40)[^\s<>"'@]+/gi;

/** A telephone number as providers write it (E.164), also with spaces, and as it stands in a URL. */
const phoneNumber = /(?:\+|%2B)[1-9](?:[ ().-]{0,2}\d){6,14}/gi;

/** The query of a URL. The query of a mailed link would sign its reader in. */
const query = /\?[^\s<>"'()]*=[^\s<>"'()]*/g;

/** A JSON Web Token, a bearer token, a provider's key, and whatever else is long and random. */
const token =
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?|\b(?:Bearer|Basic) +[\w.~+/=-]{8,}|\b(?:sk|rk|pk|sb|sbp|whsec|re|ya29)[_.][\w.-]{8,}|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{40,}/gi;

/** What PostgreSQL quotes of a row: `Key (email)=(…)`, `Failing row contains (…)`. */
const keyOfRow = /\)=\(.*\)?/g;
const wholeRow = /(row contains )\(.*/g;

/** A text that PostgreSQL quotes at the end, after a colon, is always a value, and may contain quotes. */
const lastQuoted = /: ".*/gs;
/** A text that it quotes elsewhere is a value too, unless the word before it says that it is a name in our schema. */
const quoted =
  /(\b(?:column|constraint|field|function|index|policy|relation|role|schema|sequence|table|trigger|type|view) )?"[^"]*(?:"|$)/g;

/** An error's message without personal data: providers quote addresses in it, and the database quotes values. */
export function maskedMessage(message: string, { ofDatabase }: { ofDatabase: boolean }): string {
  const read = message.slice(0, maxRead);
  const withoutValues = ofDatabase
    ? read
        .replace(keyOfRow, ")=(a value)")
        .replace(wholeRow, "$1(values)")
        .replace(lastQuoted, ": (a value)")
        .replace(quoted, (all, kind?: string) => (kind ? all : "(a value)"))
    : read;
  return withoutValues
    .replace(query, "?(a query)")
    .replace(address, "(an address)")
    .replace(phoneNumber, "(a number)")
    .replace(token, "(a token)")
    .slice(0, maxMasked);
}
