/** `worktrack open`: shows an item in the browser, or tells its address where none can be started. */
import { spawn } from 'node:child_process';
import { say } from '../output.js';
import { chosenHost } from './hosts.js';
import { idOf } from './items.js';
import type { ClientOptions } from './service.js';

export async function openItem(env: NodeJS.ProcessEnv, id: string, { host }: ClientOptions): Promise<void> {
  const { url } = chosenHost(env, host);
  const address = `${url}/entity/${idOf(id)}`;
  const browser = browserOf(env);
  if (browser === undefined || !(await starts(browser, address))) say(address);
}

function browserOf({ BROWSER, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | undefined {
  if (BROWSER) return BROWSER;
  if (process.platform === 'darwin') return 'open';
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}

function starts(browser: string, address: string): Promise<boolean> {
  const child = spawn(browser, [address], { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
