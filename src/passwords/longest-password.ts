/** In bytes of UTF-8, as sent. */
export const longestPassword = 1024;
