/**
 * The message of a thrown value, which need not be an `Error`. An object without a message is described by the names of its
 * properties. Their values are left out, because they may come from a caller.
 */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map(messageOf).join('; ');
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message } = thrown as { message?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return `an object with ${Object.keys(thrown).join(', ') || 'no properties'}`;
}
