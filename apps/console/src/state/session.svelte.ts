// The user who is signed in, and the current practice.

import type { Tables } from '@practice/client-types';
import { type AuthSession, isAuthRetryableFetchError } from '@supabase/supabase-js';
import { api, onRefused, type Problem, read } from '../api/client.js';
import { todayIn } from '../logic/days.js';
import { toasts } from './act.svelte.js';
import { asOf } from './as-of.svelte.js';
import { live } from './live.svelte.js';
import { problemOf } from './load.svelte.js';
import { go } from './route.svelte.js';

type Stage = 'starting' | 'signed-out' | 'second-factor' | 'refused' | 'ready';
export type Role = 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';

const linkIsOver: Problem = { message: 'The link has expired or was used. Ask for a new one.' };

class Session {
  stage = $state<Stage>('starting');
  /** The reason why the practice cannot be opened, or why the session is over. */
  problem = $state.raw<Problem>();
  /** The token in the link of an invitation, until it is used. */
  invitation = $state(new URLSearchParams(location.search).get('invitation'));
  email = $state('');
  userId = $state('');
  practiceId = $state('');
  role = $state<Role>('read_only');
  settings = $state.raw<Tables<'practice_settings'>>();
  practice = $state.raw<Tables<'practices'>>();
  members = $state.raw<readonly Tables<'memberships'>[]>([]);
  services = $state.raw<readonly Tables<'service_menu'>[]>([]);
  private end: (() => void) | undefined;
  private entering = Promise.resolve();
  private refreshes = 0;
  /** The data of the last `refresh`, as JSON. */
  private known = '';

  /** Follows the session of supabase-js, including its changes in other tabs. */
  start(): void {
    api.auth.onAuthStateChange((event, current) => {
      if (this.stage === 'ready' && current && !this.isOf(current)) return this.restart(current);
      // All tabs get the event; only the tab that opened the link leaves its page.
      if (event === 'PASSWORD_RECOVERY' && document.visibilityState === 'visible') go('practice/account');
      // supabase-js holds a lock during this callback.
      if (event !== 'TOKEN_REFRESHED' && event !== 'USER_UPDATED') setTimeout(() => void this.enter(), 0);
    });
    // Anyone can make a link with a text, so the text of a link that is over is not shown.
    void api.auth.initialize().then(({ error }) => {
      const isOfLink = error?.name === 'AuthImplicitGrantRedirectError';
      this.problem ??= isOfLink ? linkIsOver : (error ?? undefined);
    });
    // If the session is over, the refresh fails as well.
    onRefused(async (problem) => {
      const { error } = await api.auth.refreshSession();
      if (error?.status !== 400) return;
      this.problem = problem;
      await api.auth.signOut({ scope: 'local' });
    });
  }

  private isOf({ user, access_token: token }: AuthSession): boolean {
    return user.id === this.userId && practiceIn(token) === this.practiceId;
  }

  /** Begins again after another tab has changed the user or the practice. All tabs share the session, so this one would write with it. */
  private restart({ user }: AuthSession): void {
    if (user.id !== this.userId) this.leave();
    // First the screens end: on a page with unsent text, the user could refuse the reload, and write in the other practice.
    this.stage = 'starting';
    setTimeout(() => location.reload(), 0);
  }

  /** Finds the current step of the sign-in, and the practice. */
  enter(): Promise<void> {
    this.entering = this.entering
      .then(() => this.advance())
      .catch((error: unknown) => {
        this.problem = problemOf(error);
        this.stage = 'refused';
      });
    return this.entering;
  }

  private async advance(): Promise<void> {
    const { data, error } = await api.auth.getSession();
    // The session cannot be refreshed now, but it is not over.
    if (isAuthRetryableFetchError(error)) throw error;
    if (!data.session) return this.leave();
    this.email = data.session.user.email ?? '';
    const { data: level } = await api.auth.mfa.getAuthenticatorAssuranceLevel();
    if (level?.nextLevel === 'aal2' && level.currentLevel === 'aal1') {
      this.stage = 'second-factor';
      return;
    }
    if (this.stage === 'ready') return;
    if (this.invitation !== null) await this.accept(this.invitation);
    await this.refresh();
    this.end?.();
    this.end = live.start(() => this.refresh());
    this.problem = undefined;
    this.stage = 'ready';
  }

  /** Accepts an invitation, and changes to its practice. If it is refused, the practice of before opens. */
  private async accept(token: string): Promise<void> {
    const { data, error } = await api.rpc('accept_invitation', { token });
    if (error) return toasts.show({ text: 'The invitation was not accepted', problem: error });
    this.forgetInvitation();
    await read(api.rpc('switch_practice', { therapist_id: data.therapist_id }));
    await api.auth.refreshSession();
  }

  /** Forgets the invitation after it was used, so that a reload does not use it again. */
  forgetInvitation(): void {
    this.invitation = null;
    history.replaceState(null, '', location.pathname + location.hash);
  }

  /** Reads the data that every screen needs. */
  async refresh(): Promise<void> {
    const turn = (this.refreshes += 1);
    const identity = await read(api.rpc('current_identity'));
    const { user_id: userId, therapist_id: practiceId, role } = identity;
    const [settings, practice, members, services] = await Promise.all([
      read(api.from('practice_settings').select().single()),
      read(api.from('practices').select().single()),
      read(api.from('memberships').select().neq('status', 'removed').order('joined_at')),
      read(api.from('service_menu').select().order('name')),
    ]);
    const isOther = userId !== this.userId || practiceId !== this.practiceId;
    // A later call has newer data. A page of another session begins again.
    if (turn !== this.refreshes || (isOther && this.stage === 'ready')) return;
    const found = { userId, practiceId, role, settings, practice, members, services };
    // The same data again does not draw the screens again.
    const known = JSON.stringify(found);
    if (known !== this.known) Object.assign(this, found);
    this.known = known;
  }

  private leave(): void {
    this.end?.();
    this.end = undefined;
    this.refreshes += 1;
    // The next user must see current data, and must not be able to undo changes or find texts of this user.
    asOf.at = null;
    sessionStorage.clear();
    toasts.clear();
    this.stage = 'signed-out';
  }

  /** The day in the practice. Ask again after a wait: a page may stay open overnight. */
  get today(): string {
    return todayIn(this.settings?.time_zone ?? 'UTC');
  }

  /** The members who can hold appointments. */
  get practitioners(): readonly Tables<'memberships'>[] {
    return this.members.filter(
      ({ status, role }) => status === 'active' && (role === 'owner' || role === 'therapist'),
    );
  }

  /** Names of members and services, by their ids. */
  get names(): ReadonlyMap<string, string> {
    const services = this.services.map(({ id, name }) => [id, name] as const);
    return new Map([
      ...services,
      ...this.members.map(({ user_id: id }) => [id ?? '', this.nameOf(id)] as const),
    ]);
  }

  nameOf(userId: string | null): string {
    if (userId === null) return 'Whole practice';
    const member = this.members.find((each) => each.user_id === userId);
    return member?.display_name || (member?.email.split('@')[0] ?? 'Former member');
  }

  /** The name of the member with the e-mail address `name`; without a member, `name` itself. */
  personOf(name: string): string {
    return this.members.find(({ email }) => email === name)?.display_name || name;
  }

  /** Whether the role is one of these. */
  is(...roles: readonly Role[]): boolean {
    return roles.includes(this.role);
  }
}

/** The practice in an access token, which is a JWT. */
function practiceIn(token: string): string {
  const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
  return (JSON.parse(claims) as { readonly therapist_id: string }).therapist_id;
}

export const session = new Session();
