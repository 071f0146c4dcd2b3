/** What carries the gateway's events to the bus is injected by this. */
export const RELAY = Symbol('relay');

/** What asks the services is injected by this. */
export const REQUESTER = Symbol('requester');
