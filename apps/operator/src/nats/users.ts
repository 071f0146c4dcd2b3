import { services } from '../settings/services.js';
import { permissionsOf, type Permissions } from './permissions.js';

export interface NatsUser {
  readonly name: string;
  readonly password: string;
  /** Absent for a user without limits. */
  readonly permissions?: Permissions;
}

/** The user of the infrastructure, without limits. */
export const ADMIN = 'admin';

/** The users of the product: infrastructure, and one for each service. */
export function productUsers(passwordOf: (user: string) => string): NatsUser[] {
  return [
    { name: ADMIN, password: passwordOf(ADMIN) },
    ...services.map((service) => ({
      name: service.name,
      password: passwordOf(service.name),
      permissions: permissionsOf(service),
    })),
  ];
}
