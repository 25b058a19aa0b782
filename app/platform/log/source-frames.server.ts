/** A frame of V8: `at name (file:line:column)`, or without a name `at file:line:column`. */
const frame = /^\s*at (?:(?<name>.+) \()?(?<file>\S+?):(?<line>\d+):(?<column>\d+)\)?$/;

const plainName = /^(?:async |new )*[\w$.<>#[\] ]{1,80}$/;
const plainFile = /^[\w@.+/-]{1,200}\.[cm]?[jt]sx?$/;

const maxFrames = 20;

/**
 * Where an error came from: the frames of its stack, one a line. The stack begins with the message,
 * which quotes people, so that is left out. A name or a file that does not look like one of
 * a program's is left out too, and so is the query of a file's address.
 */
export function sourceFrames(stack: string, message: string): string | undefined {
  const begin = stack.indexOf(message);
  const trace = begin < 0 ? stack : stack.slice(begin + message.length);
  const frames = trace.split("\n").flatMap((line) => {
    const { name, file = "", line: row, column } = frame.exec(line)?.groups ?? {};
    if (!row) return [];
    const place = `${plain(file)}:${row}:${column}`;
    return name !== undefined && plainName.test(name) ? `at ${name} (${place})` : `at ${place}`;
  });
  return frames.slice(0, maxFrames).join("\n") || undefined;
}

/** The path of a file, without the folder of the build, as `npm run logs` finds its source map. */
function plain(file: string): string {
  const path = file
    .replace(/[?#].*$/, "")
    .replace(/^(?:file|https?):\/\//, "")
    .replace(/^.*\/build\/server\//, "");
  return plainFile.test(path) ? path : "unknown";
}
