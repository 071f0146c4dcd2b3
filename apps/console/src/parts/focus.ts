/** Puts the focus on a new element, and selects the text of a field. */
export function focus(node: HTMLElement): void {
  node.focus();
  if (node instanceof HTMLInputElement) node.select();
}
