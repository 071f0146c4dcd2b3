export { readAddressPolicy } from './address-policy.config.js';
export { dnsResolve, ForbiddenAddress, UnknownHost, urlProblem } from './addresses.js';
export type { AddressPolicy, Resolve } from './addresses.js';
export { guardedRequests } from './requests.js';
