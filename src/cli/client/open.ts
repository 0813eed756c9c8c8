/** `worktrack open`: tells the address of an item, and shows it in the browser where there is one. */
import { spawn } from 'node:child_process';
import { say } from '../output.js';
import { chosenHost } from './hosts.js';
import { idOf } from './items.js';
import type { ClientOptions } from './service.js';

export async function openItem(env: NodeJS.ProcessEnv, id: string, { host }: ClientOptions): Promise<void> {
  const { url } = chosenHost(env, host);
  const address = `${url}/entity/${idOf(id)}`;
  // Whether a browser shows it is not known: it may start and fail, or have no terminal to show it on.
  say(address);
  const browser = browserOf(env);
  if (browser !== undefined) await start(browser, address);
}

function browserOf({ BROWSER, DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | undefined {
  if (BROWSER) return BROWSER;
  if (process.platform === 'darwin') return 'open';
  return DISPLAY || WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}

function start(browser: string, address: string): Promise<void> {
  const child = spawn(browser, [address], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    for (const event of ['error', 'spawn']) child.once(event, () => resolve());
  });
}
