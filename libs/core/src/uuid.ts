/** A UUID in its canonical form, lower case with hyphens, as a part of a regular expression. */
export const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const CANONICAL = new RegExp(`^${UUID}$`);

/** Whether a value is a UUID in its canonical form. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && CANONICAL.test(value);

/** Whether a value is a UUID, with small or capital letters, as Postgres accepts it. */
export const isUuidOfAnyCase = (value: unknown): value is string =>
  typeof value === 'string' && isUuid(value.toLowerCase());
