import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

// An appointment shows its client's name. The currency can change until the first invoice has a number.
const reads = { clients: ['name'], billing_settings: ['next_invoice_number'] };
await runService(defineService('scheduling', { rules, reads }), import.meta.url);
