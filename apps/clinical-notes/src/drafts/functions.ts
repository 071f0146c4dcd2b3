import { discardDraft, saveDraft, sessionDrafts } from '@practice/contracts';
import { handlerIn } from '@practice/write';
import { Drafts } from './drafts.js';

export const SaveDraft = handlerIn(saveDraft, Drafts, 'save');
export const DiscardDraft = handlerIn(discardDraft, Drafts, 'discard');
export const SessionDrafts = handlerIn(sessionDrafts, Drafts, 'read');
