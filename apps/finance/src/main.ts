import { runService } from '@practice/service';
import { finance } from './finance.js';

await runService(finance, import.meta.url);
