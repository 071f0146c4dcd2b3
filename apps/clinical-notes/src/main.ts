import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

// A note's appointment must not belong to another client.
await runService(
  defineService('clinical-notes', { rules, reads: { appointments: ['client_id'] } }),
  import.meta.url,
);
