const handlers = new WeakSet<object>();

/** Counts a controller's method for each client address, as an attempt to become a user. */
export function CountedByAddress(): MethodDecorator {
  return (_target, _name, descriptor) => {
    handlers.add(descriptor.value as object);
  };
}

export const isCountedByAddress = (handler: object): boolean => handlers.has(handler);
