import { appointments } from './appointments.js';
import { businessHours } from './business-hours.js';
import { serviceMenu } from './service-menu.js';

export * from './appointments.js';
export * from './business-hours.js';
export * from './service-menu.js';

export const scheduling = [appointments, serviceMenu, businessHours] as const;
