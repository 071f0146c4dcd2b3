// What an environment variable is: its default, its meaning, and what may stand in it.
import { Failure } from './failure.js';

export interface Variable<T> {
  /** The text used when the variable is absent or empty. */
  readonly default: string;
  /** One sentence for the table in the README. */
  readonly meaning: string;
  /** What may stand in it, as shown beside a wrong value. */
  readonly allowed: string;
  /** Whether a wrong value may hold a password or key, and so must not be shown. */
  readonly isSecret?: true;
  /** The value, or `undefined` when the text is not allowed. */
  readonly parse: (text: string) => T | undefined;
}

export type Values<V extends Record<string, Variable<unknown>>> = {
  readonly [K in keyof V]: Exclude<ReturnType<V[K]['parse']>, undefined>;
};

/**
 * Every variable of `table`, read from `environment`.
 * @throws {Failure} naming each variable that holds a wrong value, and what is allowed there
 */
export function readVariables<V extends Record<string, Variable<unknown>>>(
  table: V,
  environment: Readonly<Record<string, string | undefined>>,
): Values<V> {
  const wrong: string[] = [];
  const entries = Object.entries(table).map(([name, variable]) => {
    const text = environment[name] || variable.default;
    const value = variable.parse(text);
    if (value === undefined) wrong.push(`${name} must be ${variable.allowed}${shown(variable, text)}.`);
    return [name, value];
  });
  if (wrong.length > 0) throw new Failure(wrong.join('\n'));
  return Object.fromEntries(entries) as Values<V>;
}

function shown({ isSecret }: Variable<unknown>, text: string): string {
  return isSecret ? '' : `, not ${JSON.stringify(text)}`;
}

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): Pick<Variable<number>, 'allowed' | 'parse'> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    parse: (text) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
      return value >= least && value <= most ? value : undefined;
    },
  };
}

/** One word of a list. */
export function oneOf<W extends string>(...words: readonly W[]): Pick<Variable<W>, 'allowed' | 'parse'> {
  return { allowed: `one of ${words.join(', ')}`, parse: (text) => words.find((word) => word === text) };
}

/** Any text that `pattern` matches. */
export function text(pattern: RegExp, allowed: string): Pick<Variable<string>, 'allowed' | 'parse'> {
  return { allowed, parse: (value) => (pattern.test(value) ? value : undefined) };
}

/** Empty, or a URL with one of these schemes. */
export function url(...schemes: readonly string[]): Pick<Variable<string>, 'allowed' | 'parse'> {
  return {
    allowed: `a URL that begins ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    parse: (value) => (value === '' || isUrl(value, schemes) ? value : undefined),
  };
}

function isUrl(value: string, schemes: readonly string[]): boolean {
  return URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
}
