/** What asks the services is injected by this. */
export const REQUESTER = Symbol('requester');
