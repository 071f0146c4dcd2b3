// Entity tags: the version of a record's stream, so that a version has the same tag in every shape of response
// (https://www.rfc-editor.org/rfc/rfc9110#name-conditional-requests).

export const entityTag = (version: number): string => `"${version}"`;

const TAG = /^\s*(?:W\/)?"(\d{1,10})"\s*$/;

/** Whether an If-Match or If-None-Match header matches a version. `*` matches any version. Weak tags are accepted. */
export const matchesVersion = (header: string, version: number): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => Number(TAG.exec(tag)?.[1]) === version);
