// A cursor: a place in the events of a practice, as a position in the log of each service. Callers get it as opaque text.

import { serviceNames } from '@practice/contracts';
import { problemFor, reject, type Problem } from '@practice/core';

export interface LogPosition {
  /** The position of the last event that was seen; 0 before the first event. */
  readonly position: number;
  /** The epoch of the log that the position belongs to (Unix seconds). Absent if the log was never restored. */
  readonly epoch?: number;
  /** If given, used instead of the position: the place before the first event recorded at this instant or later. Its owner finds it. */
  readonly since?: string;
}

/** The place before the first event of a log. */
export const START: LogPosition = { position: 0 };

/** Service → position. A service that is missing is at the beginning of its log. */
export type Cursor = Readonly<Record<string, LogPosition>>;

const VERSION = '1.';
const MAX_LENGTH = 1024;

const notACursor: Problem = problemFor('PM400', {
  message: 'The cursor is not valid',
  hint: 'Use a cursor of an earlier response as it is, or leave it out to begin at the first event.',
});

type Stored = Readonly<Record<string, number | readonly [number, number] | string>>;

/** The cursor before the first event in each log that was recorded at an instant or later. */
export const cursorSince = (instant: Date): Cursor =>
  Object.fromEntries(serviceNames.map((service) => [service, { ...START, since: instant.toISOString() }]));

/** The text of a cursor. It has no characters that need encoding in a URL or a header. */
export function formatCursor(cursor: Cursor): string {
  const stored = Object.entries(cursor).map(([service, { position, epoch, since }]) => [
    service,
    since ?? (epoch === undefined ? position : [position, epoch]),
  ]);
  return VERSION + Buffer.from(JSON.stringify(Object.fromEntries(stored))).toString('base64url');
}

/** The cursor in a text. @throws {Rejection} PM400 when the text is not a cursor */
export function parseCursor(text: string): Cursor {
  if (!text.startsWith(VERSION) || text.length > MAX_LENGTH) return reject(notACursor);
  const stored = storedIn(text.slice(VERSION.length)) ?? reject(notACursor);
  const positions = Object.entries(stored).map(([service, value]) => {
    const [position, epoch] = Array.isArray(value) ? (value as unknown[]) : [value];
    const isPlace = isCount(position) && (epoch === undefined || isCount(epoch));
    if (!(isPlace || isInstant(value)) || !serviceNames.includes(service)) reject(notACursor);
    const place = isPlace ? { position, ...(epoch !== undefined && { epoch }) } : { ...START, since: value };
    return [service, place as LogPosition] as const;
  });
  return Object.fromEntries(positions);
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value;

function storedIn(encoded: string): Stored | null {
  if (!/^[\w-]+$/.test(encoded)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Stored) : null;
  } catch {
    return null;
  }
}

/** The position of a service in a cursor; 0 at the beginning of its log. */
export const positionIn = (cursor: Cursor, service: string): number => cursor[service]?.position ?? 0;

/** The cursor after an event. */
export const advance = (
  cursor: Cursor,
  { service, position, epoch }: LogPosition & { readonly service: string },
): Cursor => ({ ...cursor, [service]: { position, ...(epoch !== undefined && { epoch }) } });
