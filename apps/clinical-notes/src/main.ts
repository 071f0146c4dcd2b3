import { defineService, runService } from '@practice/service';
import { draftTable } from './drafts/draft-table.js';
import * as rules from './rules.js';

// The appointment of a note must not belong to another client.
const notes = defineService('clinical-notes', { rules, reads: { appointments: ['client_id'] } });
await runService({ ...notes, tables: draftTable }, import.meta.url);
