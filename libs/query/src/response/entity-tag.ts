// Entity tags: the version of a record's stream, so that a version has the same tag in every shape of response
// (https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests).

export const entityTag = (version: number): string => `"${version}"`;

/** The versions in an If-Match or If-None-Match header; null for `*`, which matches any version. Weak tags are accepted. */
export function versionsIn(header: string): readonly number[] | null {
  if (header.trim() === '*') return null;
  return header.split(',').map((tag) => Number(/^\s*(?:W\/)?"(\d{1,10})"\s*$/.exec(tag)?.[1] ?? Number.NaN));
}

/** Whether a header matches a version. */
export function matchesVersion(header: string, version: number): boolean {
  return versionsIn(header)?.includes(version) ?? true;
}
