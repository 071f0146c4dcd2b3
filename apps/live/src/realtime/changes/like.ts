// Patterns of LIKE. A pattern is an automaton whose states are bits: each character of the text moves all states at once. So the time
// of a match is proportional to the length of the text, with a small factor for the pattern, for any content of both.

import { oncePer } from '@practice/core';

/** The bits of one set of states, 32 in each number. A state is the number of pattern characters that have matched. */
type States = Uint32Array;

/** Whether a text matches a pattern as a whole: `%` matches any text, `_` any character, a backslash makes both literal. */
export function isLike(text: string, pattern: string): boolean {
  const automaton = automatonOf(pattern);
  const { onCharacter, onAny, stays, length } = automaton;
  const states: States = new Uint32Array(stays.length);
  add(states, 0);
  for (const character of text) {
    const reached = onCharacter.get(character.codePointAt(0) as number) ?? onAny;
    if (!advance(states, reached, stays)) return false;
  }
  return has(states, length);
}

/** Moves all states over one character. @returns whether a state is left */
function advance(states: States, reached: States, stays: States): boolean {
  let [carry, left] = [0, 0];
  for (let word = 0; word < states.length; word += 1) {
    const now = states[word] as number;
    const next = (((now << 1) | carry) & (reached[word] as number)) | (now & (stays[word] as number));
    carry = now >>> 31;
    states[word] = next;
    left |= next;
  }
  return left !== 0;
}

/** A wildcard, a backslash with the character that it takes literally, or any other character. */
const TOKEN = /\\?[^]/gu;

/**
 * The states that a character may lead to, by its code point; that every character may lead to, because of `_`; and that every
 * character may leave unchanged, because of `%`.
 */
function automatonOf(pattern: string) {
  const words = Math.ceil((pattern.length + 1) / 32);
  const [onAny, stays]: [States, States] = [new Uint32Array(words), new Uint32Array(words)];
  const onCharacter = new Map<number, States>();
  const statesOn = oncePer(onCharacter, () => new Uint32Array(words));
  let length = 0;
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token === '%') add(stays, length);
    else if (token === '_') add(onAny, (length += 1));
    // A backslash at the end stands for itself.
    else
      add(
        statesOn(token.codePointAt(token.length > 1 && token.startsWith('\\') ? 1 : 0) as number),
        (length += 1),
      );
  }
  for (const states of onCharacter.values())
    for (let word = 0; word < words; word += 1) (states[word] as number) |= onAny[word] as number;
  return { onCharacter, onAny, stays, length };
}

const add = (states: States, state: number): void => {
  (states[state >>> 5] as number) |= 1 << (state & 31);
};

const has = (states: States, state: number): boolean =>
  (((states[state >>> 5] as number) >>> (state & 31)) & 1) === 1;
