/** Injects the client that sends requests to the services. */
export const REQUESTER = Symbol('requester');
