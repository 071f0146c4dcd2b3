import type { LimitKind } from './limits.js';

const handlers = new WeakMap<object, LimitKind>();

/** Counts a controller's method for each client address: by default, as an attempt to become a user. */
export function CountedByAddress(kind: LimitKind = 'auth'): MethodDecorator {
  return (_target, _name, descriptor) => {
    handlers.set(descriptor.value as object, kind);
  };
}

/** The limit of each client address that a handler counts towards; undefined if it counts users. */
export const countedByAddress = (handler: object): LimitKind | undefined => handlers.get(handler);
