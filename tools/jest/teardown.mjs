export default async function teardown() {
  await globalThis.practiceStack?.stop();
}
