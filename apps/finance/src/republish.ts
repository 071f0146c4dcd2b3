import { runRepublish } from '@practice/service';
import { finance } from './finance.js';

await runRepublish(finance.service);
