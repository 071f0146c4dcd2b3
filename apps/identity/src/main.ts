const [command, ...args] = process.argv.slice(2);
// A command loads only what it needs: the whole service takes more than a second.
if (command === 'keys') {
  const { keys } = await import('./keys/run-keys.js');
  await keys(args);
} else if (command === 'erase-practice') {
  const { erasePractice } = await import('./practices/run-erase-practice.js');
  await erasePractice(args);
} else {
  const [{ runService }, { identity }] = await Promise.all([
    import('@practice/service'),
    import('./identity.js'),
  ]);
  await runService(identity, import.meta.url);
}
