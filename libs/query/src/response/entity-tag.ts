// Entity tags: the version of a record's stream, so that the same version has the same tag in every shape of answer
// (https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests).

export const entityTag = (version: number): string => `"${version}"`;

/** The versions that an If-Match or If-None-Match names; null for `*`, which is any. Weak tags name a version too. */
export function versionsIn(header: string): readonly number[] | null {
  if (header.trim() === '*') return null;
  return header.split(',').map((tag) => Number(/^\s*(?:W\/)?"(\d{1,10})"\s*$/.exec(tag)?.[1] ?? Number.NaN));
}

/** Whether a version is one of those a header names. */
export function matchesVersion(header: string, version: number): boolean {
  return versionsIn(header)?.includes(version) ?? true;
}
