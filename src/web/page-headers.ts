/**
 * What pages are sent with: they may show pictures and our style, send forms to us, and run nothing but our own
 * modules, if any.
 */
const common = {
  'content-type': 'text/html; charset=utf-8',
  // Nobody else learns where somebody comes from. Under a policy that tells not even us, browsers hide the origin of
  // our own forms, too, and a log-in could not be distinguished from one that another site makes.
  'referrer-policy': 'same-origin',
};

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
export const pageHeaders = { ...common, ...policy("img-src 'self' https: http: data:") };

/** With our own modules, which talk to nobody but us. */
export const scriptedPageHeaders = {
  ...common,
  ...policy("script-src 'self'", "connect-src 'self'", "img-src 'self' data:"),
};
