import { migrate } from '@practice/service';
import { clinicalNotes } from './clinical-notes.js';

await migrate(clinicalNotes, import.meta.url);
