/** Thrown for a text that takes longer to render than the event loop may be held. */
export class TooMuch extends Error {}
