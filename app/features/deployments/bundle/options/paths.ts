/** The value at a path such as `backups.target.kind`; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
          ? Reflect.get(inner, key)
          : undefined,
      value,
    );
}

/** Sets a value at a path and makes the objects that lead there. */
export function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner: Record<string, unknown> = { ...Object(target[first]) };
  setAt(inner, rest.join("."), value);
  target[first] = inner;
}
