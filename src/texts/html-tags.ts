/**
 * Which `<…>` of a text are tags of HTML. All others, such as an address, the parameter of a type or the place of a
 * name, are text, whoever reads it.
 */

/** Elements that HTML has or had, and those in which Outlook and Google Sheets wrap what they copy. */
const elements = `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
  blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir
  div dl dt em embed fieldset figcaption figure font footer form frame frameset google-sheets-html-origin h1 h2 h3 h4
  h5 h6 head header hgroup hr html i iframe img input ins isindex kbd keygen label legend li link listing main map
  mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript object ol optgroup
  option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot
  small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead
  time title tr track tt u ul var video wbr xml xmp`;

/** Word and Outlook write elements of their own, such as `o:p`, `u1:p`, `w14:shadow` and `st1:place`. */
const names = `(?:[a-z]|st)[0-9]{0,2}:[a-z]+|${elements.split(/\s+/).join('|')}`;

/** A `<` that looks like the beginning of a tag and is none, in any letter case: PostgreSQL reads it the same way. */
export const noTag = `<(?=/?[a-z])(?!/?(?:${names})(?:[\\s/>]|$))`;

const anyNoTag = new RegExp(noTag, 'gi');

/** Spells them so that HTML shows them. */
export const withoutFalseTags = (html: string): string => html.replace(anyNoTag, '&lt;');

const beginsWithTag = new RegExp(`^\\s*<(?:!(?:--|doctype\\b)|(?:${names})[\\s/>])`, 'i');

export const beginsAsHtml = (text: string): boolean => beginsWithTag.test(text);
