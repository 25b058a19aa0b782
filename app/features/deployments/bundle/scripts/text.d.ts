/** What an import `with { type: "text" }` gives. */
declare module "*.sh" {
  const text: string;
  export default text;
}

declare module "*.py" {
  const text: string;
  export default text;
}
