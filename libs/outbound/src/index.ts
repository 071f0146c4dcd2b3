export { readAddressPolicy } from './address-policy.config.js';
export { dnsResolve, ForbiddenAddress, guardedLookup, UnknownHost, urlProblem } from './addresses.js';
export type { AddressPolicy, Resolve } from './addresses.js';
