/** How much the readers of `nothing-lost.e2e.spec.ts` read; a long run sets both variables. */
export const sizes = {
  events: Number(process.env['FEED_EVENTS'] ?? 240),
  practices: Number(process.env['FEED_PRACTICES'] ?? 3),
};
