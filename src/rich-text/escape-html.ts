/** Spells text so that HTML shows it and reads nothing into it, as content and as a quoted attribute. */
export const escapeHtml = (text: string): string =>
  // A function for each letter would take several times as long, which shows with long texts.
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
