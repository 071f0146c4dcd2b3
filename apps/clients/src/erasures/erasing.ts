import type { ServiceParts } from '@practice/service';
import { ErasureSteps } from './erasure-steps.js';
import { openErasuresTable } from './open-erasures.js';
import { OtherServices } from './other-services.js';

/** The parts of the service that erasures need beyond records. */
export const erasing: Required<Pick<ServiceParts, 'tables' | 'extension'>> = {
  tables: openErasuresTable,
  extension: ({ connection }) => ({
    controllers: [],
    providers: [{ provide: OtherServices, useValue: new OtherServices(connection) }, ErasureSteps],
  }),
};
