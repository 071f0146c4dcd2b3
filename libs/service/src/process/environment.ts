// Reading a process's settings: once, at start, with an answer that names the variable when a value is wrong.

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that a process cannot start with. */
export class SettingError extends Error {
  constructor(variable: string, expected: string) {
    super(`${variable} must be ${expected}`);
    this.name = 'SettingError';
  }
}

/**
 * The settings of a process, each read by its own function.
 * @throws {SettingError} naming the first variable that is missing or malformed
 */
export function settings(environment: Environment) {
  const text = (name: string, fallback?: string): string => {
    const value = environment[name] ?? fallback;
    if (value === undefined || value === '') throw new SettingError(name, 'set');
    return value;
  };
  return {
    text,
    optionalText: (name: string): string | undefined => environment[name] || undefined,
    integer: (
      name: string,
      { fallback, min, max }: { fallback: number; min: number; max: number },
    ): number => {
      const value = Number(environment[name] || fallback);
      if (!Number.isInteger(value) || value < min || value > max) {
        throw new SettingError(name, `a whole number from ${min} to ${max}`);
      }
      return value;
    },
    url: (name: string, protocols: readonly string[]): string => {
      const value = text(name);
      const isAllowed = value
        .split(',')
        .every((part) => URL.canParse(part) && protocols.includes(new URL(part).protocol));
      if (!isAllowed) throw new SettingError(name, `a URL that begins with ${protocols.join(' or ')}`);
      return value;
    },
    oneOf: <const V extends string>(name: string, values: readonly V[], fallback: V): V => {
      const value = (environment[name] || fallback) as V;
      if (!values.includes(value)) throw new SettingError(name, `one of ${values.join(', ')}`);
      return value;
    },
  };
}

/** What reads a process's settings. */
export type Settings = ReturnType<typeof settings>;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];
