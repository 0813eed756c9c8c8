/**
 * Gives the focus back to where it was. What had it may be gone by then, with what was done or because it was drawn anew: then
 * it goes to what took its place, or to what is left near there.
 */

/** Called when something begins; what it returns, when it is over. @returns {() => void} */
export function focusKept() {
  const before = document.activeElement;
  // Nothing has it while buttons are out of use: whoever took them out of use gives it back.
  if (before === document.body) return () => {};
  const near = before?.closest('section, .part-content');
  // Whoever waits for the end changes the page first.
  return () => void setTimeout(() => giveBack(before, near));
}

/** @param {Element | null} before @param {Element | null | undefined} near */
function giveBack(before, near) {
  if (document.activeElement !== document.body || document.querySelector('dialog[open]')) return;
  const places = [before, before?.id ? document.getElementById(before.id) : null, near?.querySelector(reachable)];
  for (const place of places) {
    if (place instanceof HTMLElement && place.isConnected && place !== document.body) place.focus();
    if (document.activeElement !== document.body) return;
  }
  document.getElementById('content')?.focus({ preventScroll: true });
}

const reachable = ':is(button, input, select):enabled, a[href]';
