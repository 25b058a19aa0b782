/** A field that people neither see nor hear. Only a machine that fills every field fills it. */
export const trapField = "website";
