// A service from its rules: deciders and policies, and the mirror that these and the definitions need.

import { catalog, resourcesOf } from '@practice/contracts';
import type { Decider, Policy } from '@practice/resource';
import type { Mirrored } from './projections/mirror-table.js';
import type { ServiceParts } from './service.module.js';

/**
 * Defines a service.
 * @param rules a module that exports the service's deciders and policies; other exports are ignored
 * @param reads columns of other services' records that deciders look up; references and policies add theirs
 * @throws {Error} when a decider or a policy acts on a resource that the service does not own, or a policy reacts to one
 *   that does not exist or that the service owns
 */
export function defineService(
  service: string,
  { rules, reads = {} }: { readonly rules: object; readonly reads?: Mirrored },
): ServiceParts {
  const exported: unknown[] = Object.values(rules);
  const [deciders, policies] = [exported.filter(isDecider), exported.filter(isPolicy)];
  const owned = new Set(resourcesOf(service).map(({ name }) => name));
  for (const name of [
    ...deciders.map(({ definition }) => definition.name),
    ...policies.map(({ acts }) => acts),
  ])
    if (!owned.has(name)) throw new Error(`${service} has rules for ${name}, which it does not own`);
  for (const { when } of policies) {
    const problem = owned.has(when)
      ? 'which it owns'
      : !catalog.resources.has(when) && 'which does not exist';
    if (problem) throw new Error(`a policy of ${service} reacts to ${when}, ${problem}`);
  }
  return { service, deciders, policies, mirrored: mirrorOf(service, { policies, reads }) };
}

const has = (value: unknown, ...members: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && members.every((member) => member in value);

const isDecider = (value: unknown): value is Decider => has(value, 'definition', 'decide');
const isPolicy = (value: unknown): value is Policy => has(value, 'when', 'reads', 'acts', 'react');

/** Resources of other services that the own ones refer to, with the columns that policies and deciders read. */
function mirrorOf(
  service: string,
  { policies, reads }: { readonly policies: readonly Policy[]; readonly reads: Mirrored },
): Mirrored {
  const isForeign = (name: string): boolean => catalog.resources.get(name)?.service !== service;
  const referred = catalog.relations
    .filter(({ from, to }) => !isForeign(from) && isForeign(to))
    .map(({ to }) => [to, []] as const);
  const needed: (readonly [string, readonly string[]])[] = [
    ...referred,
    ...policies
      .filter(({ when }) => isForeign(when))
      .map(({ when, reads: columns }) => [when, columns] as const),
    ...Object.entries(reads),
  ];
  const mirrored: Record<string, readonly string[]> = {};
  for (const [name, columns] of needed)
    mirrored[name] = [...new Set([...(mirrored[name] ?? []), ...columns])];
  return mirrored;
}
