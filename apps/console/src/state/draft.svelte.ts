// The text that the user is typing in a note. It is stored as a draft on the server a moment after the last key, without an event.

import { api, type Problem, read } from '../api/client.js';
import { storedOf, textNames, textsOf, type Texts, type VersionedNote } from '../logic/notes.js';

const PAUSE_MS = 800;

const isEqual = (one: Texts, other: Texts): boolean => JSON.stringify(one) === JSON.stringify(other);

interface Unsent {
  readonly version: string | null;
  readonly texts: Record<string, string>;
}

export class Draft {
  texts = $state<Record<string, string>>({});
  /** The progress of saving, for the user. */
  state = $state<'saved' | 'typing' | 'kept' | 'failed'>('saved');
  problem = $state<Problem>();
  readonly names: readonly string[];
  /** A text that was saved in the note in the meantime, or that the user has typed on another device. */
  other = $state.raw<{ readonly texts: Texts; readonly accept: () => void }>();
  private version: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();
  private readonly isSoap: boolean;
  /** The key under which the tab stores the text until the server has it. */
  private readonly unsent: string;

  constructor(private note: VersionedNote) {
    this.unsent = `draft ${note.id}`;
    this.isSoap = note.format === 'soap' && note.template_id === null;
    this.names = textNames(note);
    this.texts = this.textsIn(note);
  }

  private textsIn(stored: VersionedNote): Record<string, string> {
    return { ...textsOf(stored, this.names, this.isSoap) };
  }

  private async stored() {
    const [draft] = await read(api.rpc('session_drafts', { session_id: this.note.id }));
    return draft && { version: draft.version, texts: this.textsIn(draft as never) };
  }

  /** Loads a text that the user has typed before: in this tab, if it was not sent, or on any device. */
  async resume(): Promise<void> {
    const unsent = sessionStorage.getItem(this.unsent);
    const draft = unsent === null ? await this.stored() : (JSON.parse(unsent) as Unsent);
    if (!draft) return;
    // The user began to type before the stored text arrived.
    if (this.state !== 'saved') return this.offer(draft);
    this.version = draft.version;
    this.texts = draft.texts;
    this.state = unsent === null ? 'kept' : 'typing';
    if (unsent !== null) await this.keep();
  }

  /** Stores the text in the tab until the server has it: the note may be left, or the page closed, before that. */
  private store(): void {
    const unsent: Unsent = { version: this.version, texts: this.texts };
    sessionStorage.setItem(this.unsent, JSON.stringify(unsent));
  }

  /** Notes that the server has the text. @param version of the draft; null without a draft */
  private confirm(version: string | null): void {
    this.version = version;
    this.state = 'kept';
    sessionStorage.removeItem(this.unsent);
  }

  /** Follows changes of the note by others. A text that is being typed is not replaced, and does not replace a text that was not seen. */
  follow(note: VersionedNote): void {
    const texts = this.textsIn(note);
    const isSame = isEqual(texts, this.textsIn(this.note));
    if (this.state === 'saved') this.texts = texts;
    if (isSame || this.state === 'saved') this.note = note;
    else this.other = { texts, accept: () => (this.note = note) };
  }

  /** Ends the choice between two texts with the given text. */
  choose(texts: Texts): void {
    this.other?.accept();
    this.other = undefined;
    this.texts = { ...texts };
    this.typed();
    void this.keep();
  }

  /** The version of the note that the user has seen. */
  get seen(): number {
    return this.note.version;
  }

  /** Whether only this tab has the text. */
  get isAtRisk(): boolean {
    return this.state === 'typing' || this.state === 'failed';
  }

  typed(): void {
    this.state = 'typing';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.keep(), PAUSE_MS);
    this.store();
  }

  /** Stores the typed text as a draft, with one call at a time. */
  keep(): Promise<void> {
    clearTimeout(this.timer);
    this.sending = this.sending.then(async () => {
      const texts: Texts = $state.snapshot(this.texts);
      const { data, error } = await api.rpc('save_draft', {
        ...{ session_id: this.note.id, version: this.version as string },
        ...(storedOf(texts, this.isSoap) as Record<string, string>),
      });
      this.problem = error ?? undefined;
      if (error) {
        this.state = 'failed';
        return error.code === 'PM006' ? this.meet(texts) : undefined;
      }
      const { version } = data as { version: string };
      this.version = version;
      if (this.state !== 'typing' || isEqual(texts, this.texts)) this.confirm(version);
      // After a sign-out, the tab keeps nothing.
      else if (sessionStorage.getItem(this.unsent) !== null) this.store();
    });
    return this.sending;
  }

  /** Handles a newer draft on the server: from another device, or the same text if its response was lost. */
  private async meet(mine: Texts): Promise<void> {
    const draft = await this.stored().catch(() => null);
    // The draft was discarded elsewhere, so the next save begins a new draft.
    if (draft === undefined) this.version = null;
    else if (draft && isEqual(draft.texts, mine)) {
      this.problem = undefined;
      this.confirm(draft.version);
    } else if (draft) this.offer(draft);
  }

  private offer({ version, texts }: Pick<Unsent, 'version' | 'texts'>): void {
    this.other = { texts, accept: () => (this.version = version) };
  }

  /** The write that saves the text in the note. It is refused if the note has changed. Await `keep` before it. */
  save() {
    const texts: Texts = $state.snapshot(this.texts);
    const changes = { ...storedOf(texts, this.isSoap), updated_at: this.note.updated_at };
    return api.from('sessions').update(changes).eq('id', this.note.id).select('*, version').single();
  }

  saved(note: VersionedNote): void {
    this.note = note;
    this.version = null;
    if (this.state === 'kept') this.state = 'saved';
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
    this.confirm(null);
    this.texts = this.textsIn(this.note);
    this.state = 'saved';
  }
}
