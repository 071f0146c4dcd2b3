// Parameters of every resource, by the names that operations refer to.

import { EXAMPLE_ID } from './examples.js';

const text = { type: 'string' };
const number = { type: 'integer', minimum: 0 };

const within =
  (place: 'query' | 'header') =>
  (name: string, description: string, schema: object = text): object => ({
    ...{ name, in: place, description, schema },
  });

const inQuery = within('query');
const inHeader = within('header');

const trees = (name: string): object => ({
  ...inQuery(name, `\`${name}=(status.eq.scheduled,and(date.gte.2030-01-01,notes.is.null))\``, {
    type: 'array',
    items: { type: 'string', pattern: '^\\s*\\(' },
  }),
  explode: true,
});

const prefer = (lines: readonly string[]): object =>
  inHeader('Prefer', ['Separated by commas:', ...lines.map((line) => `- ${line}`)].join('\n'));

const always = [
  '`count=exact`: adds the total to `Content-Range`; `planned` and `estimated` count exactly as well',
  '`handling=strict`: unknown preferences are an error',
  '`metrics=timings`: adds the durations of the request as `Server-Timing`',
  '`timezone=Area/City`: the zone of timestamps in the response, and of those without an offset in the request',
];

const old =
  '`read=replica`: rows of a replica will do, which may be some seconds old; the response says if it is one (`Preference-Applied`)';
const dryRun = '`tx=rollback`: a dry run; the request is executed and answered, then rolled back';
const returned =
  '`return=representation`: returns the records with the columns of `select`; `minimal` (default); `headers-only`';
const inBody =
  '`change-id=body`: the body of the response is `{"data": …, "change_id": …}`; without this, the change is in the header `Change-Id` only';
const missing = '`missing=default`: a column that some records of the body omit has its default there';
const affected =
  'with `handling=strict`: `max-affected=N`, `min-affected=N`: more or fewer records are an error, and nothing is written';

export const parameters = {
  select: inQuery(
    'select',
    'Columns, `alias:column`, `column::text`, `json->>key`, aggregates (`amount.sum()`), periods (`date.month()`), related records: `start_time,clients(name)`. Default: all columns.',
  ),
  order: inQuery(
    'order',
    '`date.desc.nullslast,start_time`. Records that are equal in these are ordered by id.',
  ),
  limit: inQuery('limit', 'Number of records; at most 1,000.', number),
  offset: inQuery('offset', 'Number of records to skip.', number),
  and: trees('and'),
  or: trees('or'),
  'not.and': trees('not.and'),
  'not.or': trees('not.or'),
  after: inQuery(
    'after',
    'The cursor of the page before, from its `Link` header; empty for the first page. No row comes twice, and none is left out while others write.',
  ),
  as_of: inQuery(
    'as_of',
    'The records as they were at this instant: `2026-11-01T09:00:00Z`. It applies to embedded records too.',
    { type: 'string', format: 'date-time' },
  ),
  columns: inQuery(
    'columns',
    'Only these columns of the body are used: `name,email`. A POST may name relations too, whose records are created within the new ones: `name,appointments(date,start_time)`.',
  ),
  on_conflict: inQuery(
    'on_conflict',
    'With `Prefer: resolution=…`: the columns that identify an existing record. Default: the id.',
  ),
  id: {
    ...inQuery('id', '`eq.` and the id of the record. No other filter is allowed.', {
      type: 'string',
      pattern: '^eq\\.',
    }),
    required: true,
    example: `eq.${EXAMPLE_ID}`,
  },
  'Prefer.records': prefer([
    ...always,
    old,
    '`pages=cursor`: `Link` has the next page by cursor, as with an empty `after`',
    '`as-of="2026-11-01T09:00:00Z"`: as the parameter `as_of`',
  ]),
  'Prefer.read': prefer(always),
  'Prefer.create': prefer([
    returned,
    '`resolution=merge-duplicates`: updates existing records; `ignore-duplicates`: skips them',
    missing,
    dryRun,
    inBody,
    ...always,
  ]),
  'Prefer.call': prefer([dryRun, inBody, ...always]),
  'Prefer.put': prefer([returned, dryRun, inBody, ...always]),
  'Prefer.change': prefer([returned, missing, affected, dryRun, inBody, ...always]),
  'Prefer.delete': prefer([returned, affected, dryRun, inBody, ...always]),
  Range: inHeader('Range', 'A page: `0-24`.', { type: 'string', pattern: '^\\d+-\\d*$' }),
  'If-None-Match': inHeader('If-None-Match', 'For a read by id: 304 as long as the record has this `ETag`.'),
  'If-Match': inHeader(
    'If-Match',
    'For a write by id, or a function that changes one record: 412 unless the record has this `ETag`.',
  ),
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    'The write is executed once in 24 hours. A repeated request gets the first response.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  'Change-Reason': inHeader(
    'Change-Reason',
    'Why: at most 500 characters of percent-encoded UTF-8, kept with the change.',
    { type: 'string', minLength: 1 },
  ),
  'Accept-Profile': inHeader('Accept-Profile', 'Schema; only `public` exists.', { const: 'public' }),
  'Content-Profile': inHeader('Content-Profile', 'Schema; only `public` exists.', { const: 'public' }),
  'X-Request-Id': inHeader('X-Request-Id', 'Used as the request id if it is valid.', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,128}$',
  }),
};
