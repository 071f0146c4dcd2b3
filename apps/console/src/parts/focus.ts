/** Puts the focus on a new element, and selects the text of a field. */
export function focus(node: HTMLElement): void {
  node.focus();
  if (node instanceof HTMLInputElement) node.select();
}

/** Puts the focus on the calendar or the screen. */
export const focusScreen = (): void =>
  (document.querySelector<HTMLElement>('main .calendar') ?? document.querySelector('main'))?.focus();

/** Puts a focus that was lost with its element on another element, or on the screen if that is gone too. */
export function keepFocus(to?: HTMLElement): void {
  if (document.activeElement === document.body) to?.focus();
  if (document.activeElement === document.body) focusScreen();
}
