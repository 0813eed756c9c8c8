/** A button that moves while it is pressed is not clicked: the pointer is let go beside it. */

const ends = ['pointerup', 'pointercancel'];

let isPressed = false;
addEventListener('pointerdown', note, true);
for (const type of ends) addEventListener(type, note, true);

/** @param {Event} event */
function note({ type }) {
  isPressed = type === 'pointerdown';
}

/** Behind the press that is under way, if any, and its click. */
export async function pressEnded() {
  if (isPressed) {
    await new Promise((resolve) => {
      for (const type of ends) addEventListener(type, resolve, { once: true });
    });
  }
  // A tap is a press and a click in one task.
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
}
