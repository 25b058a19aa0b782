const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** @param {number} since */
function elapsed(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

/**
 * Says what is being done and how long it took, in one line; a spinner turns only on a terminal.
 *
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @param {NodeJS.WriteStream} [output]
 * @returns {Promise<T>}
 */
export async function step(label, work, output = process.stdout) {
  const start = performance.now();
  const onTerminal = output.isTTY === true && !process.env.CI;
  let frame = 0;
  const spin = () => {
    frame = (frame + 1) % frames.length;
    output.write(`\r${frames[frame]} ${label} ${elapsed(start)}\x1b[K`);
  };
  const timer = onTerminal ? setInterval(spin, 100) : undefined;
  if (!onTerminal) output.write(`  ${label} …\n`);
  const finish = (/** @type {string} */ sign) => {
    clearInterval(timer);
    output.write(
      `${onTerminal ? "\r" : ""}${sign} ${label} (${elapsed(start)})${onTerminal ? "\x1b[K" : ""}\n`,
    );
  };
  try {
    const result = await work();
    finish("✓");
    return result;
  } catch (error) {
    finish("✗");
    throw error;
  }
}

/**
 * A failure that a person can act on: shown as its message, without a stack.
 */
export class PlainFailure extends Error {}
