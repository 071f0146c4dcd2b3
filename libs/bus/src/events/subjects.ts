// NATS subjects: tokens separated by dots. `*` matches one token, and a final `>` matches one or more tokens.

/** Whether a pattern matches a subject, or includes another pattern (of the same number of tokens, without `>`). */
export function matches(pattern: string, subject: string): boolean {
  return matcher([pattern])(subject);
}

/** A function that reports whether one of the patterns matches a subject. */
export function matcher(patterns: readonly string[]): (subject: string) => boolean {
  const all = patterns.map((pattern) => pattern.split('.'));
  return (subject) => {
    const tokens = subject.split('.');
    return all.some((wanted) => matchesTokens(wanted, tokens));
  };
}

function matchesTokens(wanted: readonly string[], tokens: readonly string[]): boolean {
  const isOpen = wanted.at(-1) === '>';
  if (isOpen ? tokens.length < wanted.length : tokens.length !== wanted.length) return false;
  return wanted.every(
    (token, index) => token === '*' || token === tokens[index] || (isOpen && index === wanted.length - 1),
  );
}

/**
 * The narrowest single pattern that matches every subject that these patterns match. A consumer of nats-server 2.9 can have only one
 * pattern, and only the messages of one consumer are in order.
 */
export function covering(patterns: readonly string[]): string {
  return patterns.reduce(coveringBoth);
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
  // `>` needs at least one token, so it replaces the last token of the shorter pattern.
  return [...cover.slice(0, -1), '>'].join('.');
}
