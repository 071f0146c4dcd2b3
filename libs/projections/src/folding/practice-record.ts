// The record of the practice itself in the mirror. Its definition names the columns that close and erase the practice.

import { catalog } from '@practice/contracts';
import type { MirrorKey } from '@practice/mirror';
import type { Resource, Row } from '@practice/resource';

/** The resource whose record is the practice. */
export const practiceResource: Resource | undefined = [...catalog.resources.values()].find(
  ({ endOfPractice }) => endOfPractice !== undefined,
);

/** @returns undefined if the mirror does not have practices */
export function practiceRecord(
  mirrored: Readonly<Record<string, unknown>>,
  therapistId: string,
): MirrorKey | undefined {
  if (practiceResource === undefined || !(practiceResource.name in mirrored)) return undefined;
  return { therapistId, resource: practiceResource.name, id: therapistId };
}

/** The time at which a closed practice will be erased. @param row of a practice in the mirror */
export const eraseAt = (row: Row | null): string | null =>
  (row?.[practiceResource?.endOfPractice?.eraseAt ?? ''] ?? null) as string | null;

/** @param row of a practice in the mirror */
export const isErasedPractice = (row: Row | null): boolean =>
  (row?.[practiceResource?.endOfPractice?.erasedAt ?? ''] ?? null) !== null;
