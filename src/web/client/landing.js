/** Asks whether the service is well, now and each half minute. */
import { byId } from './dom.js';

const place = byId('health', HTMLElement);

async function ask() {
  const words = await fetch(place.dataset.address ?? '', { cache: 'no-store' }).then(
    ({ ok }) => (ok ? 'ready' : 'not ready: its database does not answer'),
    () => 'cannot be reached',
  );
  // Said once, it is not said again.
  if (place.textContent !== words) place.textContent = words;
  place.className = words === 'ready' ? 'well' : 'unwell';
}

void ask();
setInterval(() => document.visibilityState === 'visible' && void ask(), 30_000);
