import { runService } from '@practice/service';
import { clinicalNotes } from './clinical-notes.js';

await runService(clinicalNotes, import.meta.url);
