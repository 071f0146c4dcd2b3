// Static files with relative links, so that a path prefix before /console/ does not matter.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [svelte()],
  // The policy of the page forbids data: URLs and inline code.
  build: { target: 'es2023', assetsDir: '', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
