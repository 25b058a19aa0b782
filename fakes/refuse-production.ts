/** The fakes sign anybody in and take any card, so they never run where real people are. */
export function refuseInProduction(fake: string): void {
  if (process.env.NODE_ENV === "production") {
    throw new Error(
      `The ${fake} fake is for development only and does not start when NODE_ENV is "production".`,
    );
  }
}
