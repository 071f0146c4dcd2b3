// NATS subjects: tokens parted by dots; `*` stands for one token, a last `>` for one or more.

/** Whether a subject is among those that a pattern names. */
export function matches(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const tokens = subject.split('.');
  if (wanted.at(-1) === '>') return tokens.length >= wanted.length && agree(wanted.slice(0, -1), tokens);
  return tokens.length === wanted.length && agree(wanted, tokens);
}

/**
 * The narrowest single pattern that names all that these name. A consumer of nats-server 2.9 takes one pattern only,
 * and only what comes through one consumer has an order.
 */
export function covering(patterns: readonly string[]): string {
  return patterns.reduce(coveringBoth);
}

function agree(wanted: readonly string[], tokens: readonly string[]): boolean {
  return wanted.every((token, index) => token === '*' || token === tokens[index]);
}

function coveringBoth(one: string, other: string): string {
  const left = one.split('.');
  const right = other.split('.');
  const cover: string[] = [];
  for (let at = 0; at < left.length && at < right.length; at++) {
    if (left[at] === '>' || right[at] === '>') return [...cover, '>'].join('.');
    cover.push(left[at] === right[at] ? (left[at] as string) : '*');
  }
  if (left.length === right.length) return cover.join('.');
  // One is longer: what is left of it is one token or more, and the shorter one ends here.
  return [...cover.slice(0, -1), '>'].join('.');
}
