import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

// A client with notes cannot be deleted.
await runService(defineService('clients', { rules, reads: { sessions: ['client_id'] } }), import.meta.url);
