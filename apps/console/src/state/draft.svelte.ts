// The text that is being typed in a note: kept on the server a moment after the last key, without an event.

import { api, type Problem, read } from '../api/client.js';
import { type Note, storedOf, textNames, textsOf, type Texts } from '../logic/notes.js';

const PAUSE_MS = 800;

export class Draft {
  texts = $state<Record<string, string>>({});
  /** For the reader: how far saving is. */
  state = $state<'saved' | 'typing' | 'kept' | 'failed'>('saved');
  problem = $state<Problem>();
  readonly names: readonly string[];
  private version: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();
  private readonly isSoap: boolean;

  constructor(private readonly note: Note) {
    this.isSoap = note.format === 'soap' && note.template_id === null;
    this.names = textNames(note);
    this.texts = { ...textsOf(note, this.names, this.isSoap) };
  }

  /** Takes up what the caller has typed before, on any device. */
  async resume(): Promise<void> {
    const [draft] = await read(api.rpc('session_drafts', { session_id: this.note.id }));
    if (!draft) return;
    this.version = draft.version;
    this.texts = { ...textsOf(draft as never, this.names, this.isSoap) };
    this.state = 'kept';
  }

  typed(): void {
    this.state = 'typing';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), PAUSE_MS);
  }

  /** Keeps what is typed, one call at a time. */
  keep(): Promise<void> {
    clearTimeout(this.timer);
    this.sending = this.sending.then(async () => {
      const texts: Texts = $state.snapshot(this.texts);
      const { data, error } = await api.rpc('save_draft', {
        ...{ session_id: this.note.id, version: this.version as string },
        ...(storedOf(texts, this.isSoap) as Record<string, string>),
      });
      this.problem = error ?? undefined;
      if (error) return void (this.state = 'failed');
      this.version = (data as { version: string }).version;
      if (this.state === 'typing' && JSON.stringify(texts) !== JSON.stringify(this.texts)) return;
      this.state = 'kept';
    });
    return this.sending;
  }

  /** The write that makes it the text of the note. Await `keep` before. */
  save() {
    const texts: Texts = $state.snapshot(this.texts);
    return api.from('sessions').update(storedOf(texts, this.isSoap)).eq('id', this.note.id);
  }

  async discard(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
    const { error } = await api.rpc('discard_draft', {
      session_id: this.note.id,
      version: this.version as string,
    });
    this.problem = error ?? undefined;
    if (error) return;
    this.version = null;
    this.texts = { ...textsOf(this.note, this.names, this.isSoap) };
    this.state = 'saved';
  }
}
