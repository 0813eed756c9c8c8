/** What every page is sent with: it may show pictures and our style, and do nothing at all. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' https: http: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
