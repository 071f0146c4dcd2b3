import { runService } from '@practice/service';
import { webhooksService } from './webhooks.js';

await runService(webhooksService, import.meta.url);
