import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

await runService(defineService('finance', { rules }), import.meta.url);
