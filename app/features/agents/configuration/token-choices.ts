/** The choices of the form that makes a token: scopes as the database names them, and days until the end. The first of
 * each is what a form without the field means. */
export const scopeChoices = [
  { value: "", label: "Read the configuration and report usage" },
  { value: "configuration", label: "Read the configuration" },
  { value: "usage", label: "Report usage" },
];
export const endChoices = [
  { value: "", label: "No end" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
];
