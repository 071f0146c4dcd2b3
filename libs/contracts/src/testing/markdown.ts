/** The lines of a page in a form that does not depend on Prettier: without the padding of tables and the length of their rules. */
export const bare = (markdown: string): string[] =>
  markdown
    .split('\n')
    .map((line) => line.replace(/ +/g, ' ').replace(/-{3,}/g, '---').trim())
    .filter((line) => line !== '');
