import * as v from 'valibot';
import type { Kind } from './kinds.js';

/** One environment variable. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  /** The text that is used when the variable is missing or empty; `undefined` if the variable must be set. */
  readonly preset: string | undefined;
  /** The description for the table in README. */
  readonly meaning: string;
  /** The apps whose processes receive it. */
  readonly apps: readonly string[];
  /** Whether the setting has no effect in containers, because it is fixed there or concerns the disk of the machine. */
  readonly isOfMachine: boolean;
  /** Whether the step that prepares Postgres and NATS needs the setting. */
  readonly isOfServers: boolean;
  /** Whether the value may contain a password or a key. A wrong value is then never printed. */
  readonly isSecret: boolean;
}

export type Table = Readonly<Record<string, Setting<unknown>>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of a table. An optional setting without a value is an empty string, or an empty list. */
export type Values<T extends Table> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never;
};

/** Thrown when a process cannot start because of wrong settings. */
export class SettingError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingError';
  }
}

/**
 * Reads every setting of a table.
 * @throws {SettingError} with one line for each variable that is missing or has a wrong value
 */
export function readTable<T extends Table>(table: T, environment: Environment): Values<T> {
  const wrong: string[] = [];
  const values = Object.entries(table).map(([name, setting]) => {
    const text = environment[name] || setting.preset;
    if (text === undefined) return wrong.push(`${name} must be set.`);
    // An empty preset means that the setting is optional.
    if (text === '') return [name, emptyOf(setting)];
    const { success, output, issues } = v.safeParse(setting.kind, text);
    if (success) return [name, output];
    return wrong.push(`${name} must be ${issues[0].message}${shown(setting, text)}.`);
  });
  if (wrong.length > 0) throw new SettingError(wrong.join('\n'));
  return Object.fromEntries(values as [string, unknown][]) as Values<T>;
}

/** The value of an optional setting without a text: an empty list for lists, and an empty text for all others. */
function emptyOf({ kind }: Setting<unknown>): unknown {
  const { success, output } = v.safeParse(kind, '');
  return success ? output : '';
}

const shown = ({ isSecret }: Setting<unknown>, text: string): string =>
  isSecret ? '' : `, not ${JSON.stringify(text)}`;
