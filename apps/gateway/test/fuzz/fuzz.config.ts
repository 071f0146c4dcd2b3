/** The number of requests of the fuzzer and their seed. `npm run fuzz` sends many more than `npm test`, and different requests each time. */
export function fuzzing(): { readonly numRuns: number; readonly seed: number } {
  const asked = process.env['FUZZ_REQUESTS'];
  return asked === undefined
    ? { numRuns: 2000, seed: 20260501 }
    : { numRuns: Number(asked), seed: Date.now() % 2 ** 31 };
}
