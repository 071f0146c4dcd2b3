// The formats that a text column may have, each with its check and with example values.

import { isTimeZone } from './time-zone.js';

/** The rule of a column of this format, see `Rule`. */
interface FormatRule {
  readonly holds: (value: unknown) => boolean;
  readonly sql: (column: string) => string;
  readonly says: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** WHATWG's pattern for `<input type=email>` (https://html.spec.whatwg.org/#valid-e-mail-address). */
const EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?([.][a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";

const isEmail: FormatRule = {
  holds: (value) => new RegExp(EMAIL).test(String(value)),
  sql: (column) => `${column} ~ '${EMAIL.replaceAll("'", "''")}'`,
  says: 'must be an e-mail address',
  schema: { format: 'email' },
};

const isZone: FormatRule = {
  holds: (value) => isTimeZone(String(value)),
  // Fails for a name that Postgres does not know. The instants of wall times are computed there, too.
  sql: (column) => `('2000-01-01'::timestamp AT TIME ZONE ${column}) IS NOT NULL`,
  says: 'must be a name from the IANA time zone database, such as Europe/Berlin',
  schema: { examples: ['Europe/Berlin'] },
};

/** Only the form. The resource checks which parts a recurrence rule may have. */
const isRecurrence: FormatRule = {
  holds: (value) => /(?:^|;)FREQ=/i.test(String(value)),
  sql: (column) => `${column} ~* '(^|;)FREQ='`,
  says: 'must be a recurrence rule of RFC 5545, such as FREQ=WEEKLY;COUNT=10',
  schema: { examples: ['FREQ=WEEKLY;COUNT=10'] },
};

/** The beginning of a URL. The service that uses the URL checks the rest. */
const URL_START = '^https?://[^[:space:]]+$';

const isUrl: FormatRule = {
  holds: (value) => /^https?:\/\/\S+$/.test(String(value)),
  sql: (column) => `${column} ~ '${URL_START}'`,
  says: 'must be a URL',
  schema: { format: 'uri' },
};

/** ISO 4217. Postgres has no list of the codes, so its constraint checks only the form. */
const isCurrency: FormatRule = {
  holds: (value) => Intl.supportedValuesOf('currency').includes(String(value)),
  sql: (column) => `${column} ~ '^[A-Z]{3}$'`,
  says: 'must be a currency code of ISO 4217, such as EUR',
  schema: { pattern: '^[A-Z]{3}$', examples: ['EUR'] },
};

/** The form of ICD-10-CM's codes: a letter, a digit, a digit or letter, and up to four more characters after a point. */
const DIAGNOSIS_CODE = '^[A-Z][0-9][0-9A-Z]([.][0-9A-Z]{1,4})?$';

const isDiagnosisCode: FormatRule = {
  holds: (value) => new RegExp(DIAGNOSIS_CODE).test(String(value)),
  sql: (column) => `${column} ~ '${DIAGNOSIS_CODE}'`,
  says: 'must be a code of ICD-10-CM, such as F41.1',
  schema: { pattern: DIAGNOSIS_CODE, examples: ['F41.1'] },
};

const from = (values: readonly string[]) => (number: number) => values[number % values.length] ?? '';

/** `example` makes a value in the format, for examples and specs. Two consecutive numbers give different values. */
export const formats = {
  currency: { rule: isCurrency, example: from(['EUR', 'CHF']) },
  email: { rule: isEmail, example: (number: number) => `person-${number}@example.com` },
  'icd-10-cm': { rule: isDiagnosisCode, example: from(['F41.1', 'F32.0']) },
  recurrence: { rule: isRecurrence, example: (number: number) => `FREQ=WEEKLY;COUNT=${4 + (number % 3)}` },
  'time-zone': { rule: isZone, example: from(['Europe/Berlin', 'Australia/Lord_Howe']) },
  url: { rule: isUrl, example: (number: number) => `https://example.com/${number}` },
} as const satisfies Record<string, { rule: FormatRule; example: (number: number) => string }>;

export type Format = keyof typeof formats;
