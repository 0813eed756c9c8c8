/** What every answer with bytes of a file carries. */
export const fileHeaders = (tag: string): Record<string, string> => ({
  etag: tag,
  // A copy may be kept, and used once the service has answered that its reader may still see it.
  'cache-control': 'private, no-cache',
  // Files come from anybody: none of them may act as a page of ours.
  'content-security-policy': "default-src 'none'; sandbox",
});
