import type { AccessLevel } from '@practice/contracts';

export type { AccessLevel } from '@practice/contracts';

// A map beside the handlers costs a request less than metadata read by reflection.
const levels = new WeakMap<object, AccessLevel>();

/** Declares the access level that a controller's method requires of its callers. */
export function Access(level: AccessLevel): MethodDecorator {
  return (_target, _name, descriptor) => {
    levels.set(descriptor.value as object, level);
  };
}

/** The access level of a handler; `user` unless the handler declares another. */
export const accessOf = (handler: object): AccessLevel => levels.get(handler) ?? 'user';
