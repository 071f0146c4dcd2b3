// The declarations of a controller's method about its calls. Guards and the OpenAPI document read the same ones.

import type { AccessLevel } from '@practice/contracts';
import type { Operation } from '@practice/describe';
import type { LimitKind } from '../limits/limits.js';

export interface EndpointOptions {
  /** The credentials that it requires of its callers. */
  readonly access: AccessLevel;
  /** The limit of each client address that its calls count towards; without one, they count towards the limits of the user. */
  readonly limitOfAddress?: LimitKind;
  /** Open to sessions that still have to pass a second factor. */
  readonly isBeforeSecondFactor?: boolean;
  /** Its responses may stay open. They do not count as requests in flight. */
  readonly isOpenEnded?: boolean;
  /** Its part of the OpenAPI document. A spec finds the methods without one. */
  readonly operation?: Operation | undefined;
}

// A map beside the handlers costs a request less than metadata read by reflection.
const endpoints = new WeakMap<object, EndpointOptions>();
const forUsers: EndpointOptions = { access: 'user' };

export function Endpoint(options: EndpointOptions): MethodDecorator {
  return (_target, _name, descriptor) => {
    endpoints.set(descriptor.value as object, options);
  };
}

/** The options of a handler. Without any, its callers must be users. */
export const endpointOf = (handler: object): EndpointOptions => endpoints.get(handler) ?? forUsers;
