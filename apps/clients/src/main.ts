import { defineService, runService } from '@practice/service';
import { erasing } from './erasures/erasing.js';
import * as rules from './rules.js';

// A client with notes cannot be deleted.
const clients = defineService('clients', { rules, reads: { sessions: ['client_id'] } });
await runService({ ...clients, ...erasing }, import.meta.url);
