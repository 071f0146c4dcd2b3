import { mount } from 'svelte';
import App from './App.svelte';
import { session } from './state/session.svelte.js';
import './style.css';

session.start();
mount(App, { target: document.getElementById('app') as HTMLElement });
