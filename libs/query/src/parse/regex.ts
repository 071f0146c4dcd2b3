// Regular expressions reach Postgres only if their cost is bounded. Without backreferences Postgres does not backtrack, and
// the limits below bound the size of its automaton. The time of the statement bounds the rest.

import { reject } from '@practice/core';
import { limits } from '../limits.js';

/**
 * Checks the text after `match` and `imatch`. The check reads characters, not structure, so it may count a character class such
 * as `[*+]` as two quantifiers; it never counts too little.
 * @param text one expression, or an array literal of several; then the limits apply to all of them together
 * @throws {Rejection} 2201B if the expression may be expensive
 */
export function checkRegex(text: string): void {
  const { length, groups, quantifiers, repetitions, nesting } = limits.regex;
  if (text.length > 2 * length || [...text].length > length) refuse(`it has more than ${length} characters`);
  if (/\\[1-9]/.test(text)) refuse('backreferences are not supported');
  if (/\*\*\*|\(\?[a-z]/.test(text)) refuse('embedded options are not supported');
  // An array literal may have backslashes and quotes of its own, which Postgres removes.
  const bare = text.replace(/[\\"]/g, '');
  if (count(bare, /\(/g) > groups) refuse(`it has more than ${groups} groups`);
  if (count(bare, /[*+?{]/g) - count(bare, /\(\?/g) > quantifiers)
    refuse(`it has more than ${quantifiers} quantifiers`);
  if (count(bare, /\(\?<?[=!]/g) > 1) refuse('it has more than one lookaround');
  if (repetitionsIn(bare) > repetitions) refuse(`its repetitions multiply to more than ${repetitions}`);
  if (quantifierNesting(text) > nesting) refuse(`its quantifiers are nested more than ${nesting} deep`);
}

const refuse = (why: string): never =>
  reject('2201B', {
    message: `invalid regular expression: ${why}`,
    hint: 'Use a simpler expression, or "like", "ilike" or a full-text operator.',
  });

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** The product of all repetitions: `{2,3}` counts as three, and the repetitions of nested groups multiply. */
const repetitionsIn = (text: string): number =>
  [...text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (product, [, least, most]) => product * Math.max(1, Number(least), Number(most ?? 0)),
    1,
  );

/** How many quantified groups lie within each other: 2 for `(a*)*`. */
function quantifierNesting(text: string): number {
  const tokens = text.match(/\\.|\[\^?\]?(?:\[[:.=].*?[:.=]\]|\\.|[^\]\\])*\]|./gs) ?? [];
  // The deepest nesting within each open group.
  const open: number[] = [0];
  for (const [index, token] of tokens.entries()) {
    if (token === '(') open.push(0);
    const inner = token === ')' && open.length > 1 ? open.pop() : 0;
    const isQuantified = isAtom(token) && isQuantifier(tokens[index + 1]);
    open.push(Math.max(Number(open.pop()), Number(inner) + Number(isQuantified)));
  }
  return Math.max(...open);
}

const isQuantifier = (token = ''): boolean => /^[*+?{]/.test(token);
const isAtom = (token: string): boolean => token !== '(' && !isQuantifier(token);
