import { migrate } from '@practice/service';
import { finance } from './finance.js';

await migrate(finance, import.meta.url);
