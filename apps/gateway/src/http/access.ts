/** What a caller must show: nothing, the project's key, the key and a user's token, or that token from a session of the user. */
export type AccessLevel = 'open' | 'key' | 'user' | 'session';

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
