/** How many requests the fuzzer makes; `npm run fuzz` asks for many more than `npm test`. */
export const fuzzRequests = (): number => Number(process.env['FUZZ_REQUESTS'] ?? 2000);
