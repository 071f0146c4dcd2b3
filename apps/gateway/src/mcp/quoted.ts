// Texts that people wrote are data of the practice, and may contain instructions to an assistant. A record for an
// assistant has all of them in its member `quoted` and nowhere else, so a client can show and treat them as quotations.

import { catalog } from '@practice/contracts';
import { entries } from '@practice/resource';

type Row = Readonly<Record<string, unknown>>;

/** Texts in these forms are written by the server, or contain only a number or a time. */
const SAFE =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|-?\d{1,20}(?:\.\d{1,10})?|\d{4,6}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d(?::\d\d)?|[a-z-]{2,20}:\d{1,20})$/;

const resources = [...catalog.readable.values()];

/** The words of columns with a list of permitted words, by column: `status` has `confirmed`. */
const words = new Map<string, Set<unknown>>();
for (const [name, { oneOf = [] }] of resources.flatMap(({ columns }) => entries(columns)))
  if (oneOf.length > 0) words.set(name, new Set([...(words.get(name) ?? []), ...oneOf]));

/** The names of all columns, and the words that the server itself writes to some columns. */
const columns = new Set(resources.flatMap((resource) => Object.keys(resource.columns)));
const events = new Set(resources.flatMap((resource) => Object.keys(resource.events)));
const ofServer: Readonly<Record<string, ReadonlySet<string>>> = {
  event: events,
  resource: new Set(catalog.readable.keys()),
  service: new Set(resources.map(({ service }) => service)),
  actor: new Set(['user', 'token', 'policy', 'system']),
};

/** Members of histories that contain the values of columns by name. */
const STATES = new Set(['before', 'after']);

/** A record for an assistant: what people wrote is in `quoted`, also in embedded records. */
export function quotedRecord(row: Row): Row {
  const shown: Record<string, unknown> = {};
  let quoted: Record<string, unknown> | undefined;
  for (const name in row) {
    const value = row[name];
    const plain = shownValue(name, value);
    if (plain === undefined) (quoted ??= {})[name] = value;
    else shown[name] = plain;
  }
  // Set last, so that no column with the name `quoted` replaces it.
  if (quoted !== undefined) shown['quoted'] = quoted;
  return shown;
}

/** The value as it is shown outside of `quoted`; undefined if it belongs there. */
function shownValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return isPlain(name, value) ? value : undefined;
  if (catalog.readable.has(name)) return embedded(value);
  return STATES.has(name) && isState(value) ? quotedRecord(value) : undefined;
}

const isPlain = (name: string, value: string): boolean =>
  SAFE.test(value) || words.get(name)?.has(value) === true || ofServer[name]?.has(value) === true;

function embedded(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isRow) ? value.map(quotedRecord) : undefined;
  return isRow(value) ? quotedRecord(value) : undefined;
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether all names are names of columns, so that people chose no name. */
const isState = (value: unknown): value is Row =>
  isRow(value) && Object.keys(value).every((name) => columns.has(name));
