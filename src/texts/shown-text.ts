/** Whether a text shows anything: spaces, control characters and what is never drawn do not. */
export const showsNothing = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{DI}]*$/u.test(text);
