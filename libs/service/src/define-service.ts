// Defines a service by its rules. It has these deciders and policies, and the mirror that they and the definitions need.

import type { Type } from '@nestjs/common';
import { CONTROLLER_WATERMARK, INJECTABLE_WATERMARK } from '@nestjs/common/constants.js';
import { catalog, resourcesOf } from '@practice/contracts';
import type { Decider, Policy } from '@practice/resource';
import { handledBy } from '@practice/write';
import { checkMirrored } from '@practice/privacy';
import type { Mirrored } from '@practice/storage';
import { tableReactions } from '@practice/projections';
import { relationsFrom } from '@practice/mirror';
import type { ServiceParts } from './service-parts.js';

/**
 * Defines a service.
 * @param rules a module that exports the service's deciders, policies, and classes that Nest makes; other exports are ignored
 * @param reads columns of other services' records that deciders look up; columns for references and policies are added
 * @throws {Error} when a decider or a policy acts on a resource that the service does not own, or a policy reacts to a resource
 *   that does not exist or that the service owns
 */
export function defineService(
  service: string,
  { rules, reads = {} }: { readonly rules: object; readonly reads?: Mirrored },
): ServiceParts {
  const exported = Object.entries(rules as Readonly<Record<string, unknown>>);
  const deciders = exported.map(([, rule]) => rule).filter(isDecider);
  const policies = exported.flatMap(([name, rule]) => (isPolicy(rule) ? [{ ...rule, name }] : []));
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
  const mirrored = mirrorOf(service, { policies, reads });
  checkMirrored(service, mirrored, (to) => relationsFrom(service, to).length > 0);
  return { service, deciders, policies, mirrored, ...classesIn(rules) };
}

/** The marks that Nest's decorators leave on a class that can be provided. */
const PROVIDER_MARKS = [INJECTABLE_WATERMARK, '__commandHandler__', '__queryHandler__'];

/** The classes that a module exports and Nest makes: handlers of functions, controllers, and others with one of `PROVIDER_MARKS`. */
export function classesIn(exports: object): Pick<ServiceParts, 'functions' | 'controllers' | 'providers'> {
  const classes = Object.values(exports).filter((value): value is Type => typeof value === 'function');
  const functions = classes.filter((one) => handledBy(one) !== undefined);
  const isMarked = (one: Type, mark: string): boolean => Reflect.hasOwnMetadata(mark, one);
  return {
    functions,
    controllers: classes.filter((one) => isMarked(one, CONTROLLER_WATERMARK)),
    providers: classes.filter(
      (one) => !functions.includes(one) && PROVIDER_MARKS.some((mark) => isMarked(one, mark)),
    ),
  };
}

const has = (value: unknown, ...members: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && members.every((member) => member in value);

const isDecider = (value: unknown): value is Decider => has(value, 'definition', 'decide');
const isPolicy = (value: unknown): value is Policy => has(value, 'when', 'reads', 'acts', 'react');

/** The resources of other services that a service needs, each with the columns that references, policies, deciders and tables read. */
function mirrorOf(
  service: string,
  { policies, reads }: { readonly policies: readonly Policy[]; readonly reads: Mirrored },
): Mirrored {
  const isForeign = (name: string): boolean => catalog.resources.get(name)?.service !== service;
  const referred = catalog.relations
    .filter(({ from, to }) => !isForeign(from) && isForeign(to))
    .map(({ to }) => [to, []] as const);
  const chosen = catalog.choices
    .filter(({ from, among }) => !isForeign(from) && isForeign(among.resource))
    .map(({ among: { resource, column, where } }) => [resource, [column, ...Object.keys(where)]] as const);
  const needed: (readonly [string, readonly string[]])[] = [
    ...referred,
    ...chosen,
    ...policies
      .filter(({ when }) => isForeign(when))
      .map(({ when, reads: columns }) => [when, columns] as const),
    ...tableReactions
      .filter(({ when, by = [service] }) => isForeign(when) && by.includes(service))
      .map(({ when, reads: columns }) => [when, columns] as const),
    ...Object.entries(reads),
  ];
  const mirrored: Record<string, readonly string[]> = {};
  for (const [name, columns] of needed)
    mirrored[name] = [...new Set([...(mirrored[name] ?? []), ...columns])];
  return mirrored;
}
