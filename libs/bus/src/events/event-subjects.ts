import { ALL_SUBJECTS, subjectOf } from './envelope.js';

const TOKENS = 6;

/**
 * The subjects that a subscription takes, as patterns of six tokens. They are the given subjects (default: all), limited to the
 * given event types.
 * @throws {Error} for a subject that no event can have
 */
export function eventSubjects(
  subjects: readonly string[] | undefined,
  types: readonly string[] | undefined,
): string[] {
  if (subjects === undefined && types !== undefined) return types.map((type) => subjectOf({ type }));
  const expanded = (subjects ?? [ALL_SUBJECTS]).map(expand);
  const patterns = types === undefined ? expanded : expanded.flatMap((pattern) => limit(pattern, types));
  if (patterns.length === 0) throw new Error('no subject has one of these event types');
  return [...new Set(patterns)];
}

/** Replaces a final `>` by one `*` for each missing token. */
function expand(pattern: string): string {
  const tokens = pattern.split('.');
  if (tokens.at(-1) === '>')
    tokens.splice(-1, 1, ...Array<string>(Math.max(0, TOKENS + 1 - tokens.length)).fill('*'));
  const [first, second] = tokens;
  if (tokens.length !== TOKENS || first !== 'practice' || second !== 'events')
    throw new Error(
      `'${pattern}' is not a subject of events: practice.events.<service>.<therapist_id>.<aggregate>.<EventType>`,
    );
  return tokens.join('.');
}

function limit(pattern: string, types: readonly string[]): string[] {
  const tokens = pattern.split('.');
  const type = tokens.pop();
  return types.flatMap((wanted) => (type === '*' || type === wanted ? [[...tokens, wanted].join('.')] : []));
}
