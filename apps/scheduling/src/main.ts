import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

// An appointment shows its client's name.
await runService(defineService('scheduling', { rules, reads: { clients: ['name'] } }), import.meta.url);
