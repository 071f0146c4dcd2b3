import { defineService, runService } from '@practice/service';
import { openErasuresTable } from './erasures/open-erasures.js';
import { OtherServices } from './erasures/other-services.js';
import * as rules from './rules.js';

// A client with notes cannot be deleted.
const clients = defineService('clients', { rules, reads: { sessions: ['client_id'] } });
await runService(
  {
    ...clients,
    tables: openErasuresTable,
    extension: ({ connection }) => ({
      providers: [{ provide: OtherServices, useValue: new OtherServices(connection) }],
    }),
  },
  import.meta.url,
);
