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

const beforeSecondFactor = new WeakSet<object>();

/** Opens a controller's method to sessions that still have to pass a second factor. */
export function BeforeSecondFactor(): MethodDecorator {
  return (_target, _name, descriptor) => {
    beforeSecondFactor.add(descriptor.value as object);
  };
}

export const isBeforeSecondFactor = (handler: object): boolean => beforeSecondFactor.has(handler);

const openEnded = new WeakSet<object>();

/** Marks a controller's method whose responses may stay open. They do not count as requests in flight. */
export function OpenEnded(): MethodDecorator {
  return (_target, _name, descriptor) => {
    openEnded.add(descriptor.value as object);
  };
}

export const isOpenEnded = (handler: object): boolean => openEnded.has(handler);

/** The access level of a handler; `user` unless the handler declares another. */
export const accessOf = (handler: object): AccessLevel => levels.get(handler) ?? 'user';
