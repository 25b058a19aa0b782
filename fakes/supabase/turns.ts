/** Requests run beside each other; what runs alone waits for those that began, and holds up those that come. */
export class Turns {
  #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> = Promise.resolve();

  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    let over: Promise<unknown> | undefined;
    while (over !== this.#alone) {
      over = this.#alone;
      await over;
    }
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  alone(work: () => Promise<unknown>): Promise<unknown> {
    const before = [this.#alone, ...this.#running];
    const turn = Promise.allSettled(before).then(work);
    this.#alone = turn.catch(() => undefined);
    return turn;
  }
}
