import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

// An item needs the price of its appointment, and an invoice needs the zone of the practice for its date.
const reads = {
  appointments: ['client_id', 'service_id', 'practitioner_id', 'price', 'status', 'date'],
  service_menu: ['name', 'price'],
  practice_settings: ['time_zone'],
  erasures: ['client_id'],
};
await runService(defineService('finance', { rules, reads }), import.meta.url);
