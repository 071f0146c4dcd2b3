// The Prefer header (RFC 7240), as far as the dialect knows it.

/** What a caller prefers; null where it says nothing. */
export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly missing: 'default' | 'null' | null;
  readonly return: 'representation' | 'minimal' | 'headers-only' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  readonly tx: 'commit' | 'rollback' | null;
  readonly handling: 'strict' | 'lenient' | null;
  readonly timezone: string | null;
  readonly maxAffected: number | null;
  readonly minAffected: number | null;
  /** Tokens that mean nothing here; an error under `handling=strict`. */
  readonly unknown: readonly string[];
}

type KnownPreferences = Omit<Preferences, 'unknown'>;

export const noPreferences: Preferences = {
  resolution: null,
  missing: null,
  return: null,
  count: null,
  tx: null,
  handling: null,
  timezone: null,
  maxAffected: null,
  minAffected: null,
  unknown: [],
};

const words: ReadonlyMap<string, Partial<KnownPreferences>> = new Map<string, Partial<KnownPreferences>>([
  ['resolution=merge-duplicates', { resolution: 'merge-duplicates' }],
  ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
  ['missing=default', { missing: 'default' }],
  ['missing=null', { missing: 'null' }],
  ['return=representation', { return: 'representation' }],
  ['return=minimal', { return: 'minimal' }],
  ['return=headers-only', { return: 'headers-only' }],
  ['count=exact', { count: 'exact' }],
  ['count=planned', { count: 'planned' }],
  ['count=estimated', { count: 'estimated' }],
  ['tx=commit', { tx: 'commit' }],
  ['tx=rollback', { tx: 'rollback' }],
  ['handling=strict', { handling: 'strict' }],
  ['handling=lenient', { handling: 'lenient' }],
]);

/** Reads the header; of two values for one preference the first counts. Tokens are case-sensitive. */
export function parsePreferences(header: string | undefined): Preferences {
  if (header === undefined) return noPreferences;
  const unknown: string[] = [];
  let known: KnownPreferences = noPreferences;
  for (const part of header.split(',')) {
    const token = part.trim();
    const preference = words.get(token) ?? parameterised(token);
    if (preference !== null) known = { ...known, ...unset(preference, known) };
    else if (token !== '') unknown.push(token);
  }
  return { ...known, unknown };
}

function parameterised(token: string): Partial<KnownPreferences> | null {
  const affected = /^(max|min)-affected=(.*)$/.exec(token);
  // What is no number is known, and without effect.
  if (affected !== null)
    return /^\d{1,9}$/.test(affected[2] ?? '') ? { [`${affected[1]}Affected`]: Number(affected[2]) } : {};
  const timezone = /^timezone=(.+)$/.exec(token);
  return timezone === null ? null : { timezone: timezone[1] ?? '' };
}

function unset(preference: Partial<KnownPreferences>, known: KnownPreferences): Partial<KnownPreferences> {
  return Object.keys(preference).every((name) => known[name as keyof KnownPreferences] === null)
    ? preference
    : {};
}
