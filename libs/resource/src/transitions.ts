import { problemFor, reject } from '@practice/core';
import type { EventTypesWith } from './facts.js';
import type { Resource } from './resource.js';

/**
 * The event of a change of status.
 * @throws {Rejection} PM001, with the allowed next statuses
 */
export function transition<D extends Resource>(
  { aggregate, transitions = {} }: D,
  from: string,
  to: string,
): EventTypesWith<D, 'status'> {
  const allowed = transitions[from] ?? {};
  const following = Object.keys(allowed).join(', ') || 'no other status';
  const problem = problemFor('PM001', {
    message: `an ${aggregate} cannot go from ${from} to ${to}`,
    hint: `From ${from} it can go to ${following}.`,
  });
  return (allowed[to] as EventTypesWith<D, 'status'> | undefined) ?? reject(problem);
}
