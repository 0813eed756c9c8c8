/**
 * Which `<…>` of a text are tags of HTML. All others, such as an address, the parameter of a type or the place of a
 * name, are text, whoever reads it.
 */

/** Elements that HTML has or had. */
const elements = `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink
  blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div
  dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
  i iframe img input ins kbd label legend li link listing main map mark marquee math menu meta meter nav nobr noembed
  noframes noscript object ol optgroup option output p param picture plaintext pre progress q rp rt ruby s samp script
  section select slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea
  tfoot th thead time title tr track tt u ul var video wbr xmp`;

/** Word writes elements of its own, such as `o:p` and `st1:place`. */
const names = `(?:[a-z]|st1):[a-z]+|${elements.split(/\s+/).join('|')}`;

/** A `<` that looks like the beginning of a tag and is none, in any letter case: PostgreSQL reads it the same way. */
export const noTag = `<(?=/?[a-z])(?!/?(?:${names})(?:[\\s/>]|$))`;

const anyNoTag = new RegExp(noTag, 'gi');

/** Spells them so that HTML shows them. */
export const withoutFalseTags = (html: string): string => html.replace(anyNoTag, '&lt;');

const beginsWithTag = new RegExp(`^\\s*<(?:!(?:--|doctype\\b)|(?:${names})[\\s/>])`, 'i');

export const beginsAsHtml = (text: string): boolean => beginsWithTag.test(text);
