import type { ServiceParts } from '@practice/service';

/** The finance service: it owns expenses, which have no rules of their own. */
export const finance: ServiceParts = {
  service: 'finance',
  deciders: [],
};
