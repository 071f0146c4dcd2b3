const handlers = new WeakSet<object>();

/** Marks a controller's method whose responses may stay open. They do not count as requests in flight. */
export function OpenEnded(): MethodDecorator {
  return (_target, _name, descriptor) => {
    handlers.add(descriptor.value as object);
  };
}

export const isOpenEnded = (handler: object): boolean => handlers.has(handler);
