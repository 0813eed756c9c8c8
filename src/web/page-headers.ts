/** What pages are sent with: they may show pictures and our style, send forms to us, and run nothing but our own modules, if any. */
const contentType = { 'content-type': 'text/html; charset=utf-8' };

const policy = (...more: string[]): { 'content-security-policy': string } => ({
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; '),
});

/** Without scripts; rich text may show pictures from elsewhere. */
export const pageHeaders = { ...contentType, ...policy("img-src 'self' https: http: data:") };

/** With our own modules, which talk to nobody but us. */
export const scriptedPageHeaders = {
  ...contentType,
  ...policy("script-src 'self'", "connect-src 'self'", "img-src 'self' data:"),
};
