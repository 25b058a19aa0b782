import failedSeeds from "./failed-seeds.json" with { type: "json" };

/** Of everything that a test draws by chance: `npm test` and the proof draw the same in every run. */
const usualSeed = 20_261_122;

/** The seed that `npm run proof:nightly` hunts with; its tests run with this one alone. */
const huntedSeed = process.env.PROOF_SEED;

/** The seed of a test that needs one only. */
export const seed = huntedSeed ? Number(huntedSeed) : usualSeed;

/**
 * The seeds that a test of the proof runs with: the usual one, and each with which it failed once. Give them to
 * `test.each`, so that the seed stands in the test's name.
 */
export function seedsOf(test: keyof typeof failedSeeds): readonly number[] {
  if (huntedSeed) return [seed];
  const failed: readonly { seed: number }[] = failedSeeds[test];
  return [usualSeed, ...failed.map((each) => each.seed)];
}
