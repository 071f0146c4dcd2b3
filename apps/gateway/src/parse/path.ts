import { reject } from '@practice/core';
import { invalidPath } from '../http/no-route.js';

const PREFIX = '/rest/v1';
const FUNCTIONS = 'rpc/';

/** The resource or function that a path below `/rest/v1/` names. */
export interface Target {
  readonly kind: 'resource' | 'function';
  readonly name: string;
}

/** @throws {Rejection} PGRST125 for a path that names neither a resource nor a function */
export function targetOf(path: string): Target {
  const name = resourcePath(path);
  const isFunction = name.startsWith(FUNCTIONS);
  const target = isFunction ? name.slice(FUNCTIONS.length) : name;
  if ((isFunction && target === '') || target.includes('/')) reject(invalidPath);
  return { kind: isFunction ? 'function' : 'resource', name: target };
}

/** The part of a path after `/rest/v1/`, decoded. */
export function resourcePath(path: string): string {
  const name = path.slice(PREFIX.length + 1);
  return name.includes('%') ? decoded(name) : name;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
