/** A hidden field, also hidden from screen readers. Only a machine that fills in every field fills it in. */
export const trapField = "website";
