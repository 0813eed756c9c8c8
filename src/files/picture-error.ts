/** What no small picture is made of: it is none, is damaged, or is too large. */
export class PictureError extends Error {}
