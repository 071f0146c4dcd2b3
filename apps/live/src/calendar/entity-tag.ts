const TAG = /(?:W\/)?("[\x21\x23-\x7e]*")/g;

/** Whether an `If-None-Match` header has a tag (RFC 9110, 13.1.2). Weak tags count as the same. */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || [...header.matchAll(TAG)].some(([, one]) => one === tag);
}
