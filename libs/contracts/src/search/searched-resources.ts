// The resources that `rpc/search` searches.

import { problemFor, reject, type Problem } from '@practice/core';
import { isConfidential, kinds, type Resource, type Search } from '@practice/resource';
import { catalog } from '../catalog.js';

/** A resource with searched columns. */
export type SearchedResource = Resource & { readonly search: Search };

export const searchedResources: readonly SearchedResource[] = [...catalog.resources.values()].filter(
  (resource): resource is SearchedResource => resource.search !== undefined,
);

/**
 * The resources that an argument names. Without the argument, all resources except confidential ones, which callers must name.
 * @throws {Rejection} 22P02 for a value that is no list of texts, 22023 for a resource without searched columns
 */
export function searchedIn(given: unknown): readonly SearchedResource[] {
  if (given === undefined || given === null)
    return searchedResources.filter((resource) => !isConfidential(resource));
  const names = kinds.texts.parse(given);
  if (!names.ok) return reject({ ...names.problem, message: `resources must be ${kinds.texts.expects}` });
  if (names.value.length === 0) reject(notSearched('{}'));
  return [...new Set(names.value)].map(
    (name) => searchedResources.find((resource) => resource.name === name) ?? reject(notSearched(name)),
  );
}

const notSearched = (name: string): Problem =>
  problemFor('22023', {
    message: 'invalid value for argument "resources"',
    details: `"${name.slice(0, 100)}" is not searched.`,
    hint: `Resources with search: ${searchedResources.map((resource) => resource.name).join(', ')}.`,
  });
