import type { AccessLevel } from '@practice/contracts';

export type { AccessLevel } from '@practice/contracts';

// A map beside the handlers costs a request less than metadata read by reflection.
const levels = new WeakMap<object, AccessLevel>();

/** Says what a controller's method asks of its callers. */
export function Access(level: AccessLevel): MethodDecorator {
  return (_target, _name, descriptor) => {
    levels.set(descriptor.value as object, level);
  };
}

/** What a handler asks: everything, unless it says otherwise. */
export const accessOf = (handler: object): AccessLevel => levels.get(handler) ?? 'user';
