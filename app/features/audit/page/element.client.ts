/** Makes an element with its children. No text becomes HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  children: readonly (Node | string)[],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.replaceChildren(...children);
  return made;
}
