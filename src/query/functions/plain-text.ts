/** What a reader sees of a text in HTML: no marks, no references to characters, no runs of white space. */
import { raw, type Sql, sql, value } from '../../sql.js';
import { noTag } from '../../texts/html-tags.js';

/** Search reads marks and references by the same rules (`search_plain`, `search_referred`), but for signs. */
export function plainText(of: Sql): Sql {
  const tagged = sql`regexp_replace(${of}, ${raw(`'${noTag}'`)}, '&lt;', 'gi')`;
  const seen = unseen.reduce((rest, one) => sql`regexp_replace(${rest}, ${one}, '', 'gi')`, tagged);
  const apart = sql`regexp_replace(${seen}, ${blockMarks}, ' ', 'gi')`;
  const unmarked = sql`regexp_replace(${apart}, ${marks}, '', 'g')`;
  // With the blank an empty text has a part, too.
  const parts = sql`select part, n, substring(part from '^(#?[a-zA-Z0-9]+);') as reference
    from string_to_table(' ' || ${unmarked}, '&') with ordinality as p(part, n) offset 0`;
  const read = sql`case when n = 1 then part else coalesce(${meant} || substr(part, length(reference) + 2), '&' || part) end`;
  return sql`(select btrim(regexp_replace(string_agg(${read}, '' order by n), '[[:space:]]+', ' ', 'g')) from (${parts}) parts)`;
}

/** A mark ends behind its attributes, whose values may hold what ends a mark. */
const attributes = `(?:=\\s*"[^"]*"|=\\s*''[^'']*''|[^>])*`;

/** A mark begins with a letter, a slash or the like: `a < b` is none. Nor is what has the name of no element. */
const marks = raw(`'<[a-zA-Z/!?]${attributes}>'`);

/** Marks that set their text apart from what stands beside them. */
const blocks = 'address|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|table|tbody|td|tfoot|th|thead|tr|ul';
const blockMarks = raw(`'</?(?:${blocks})(?:[\\s/]${attributes})?>'`);

/**
 * What marks hold that is not for readers, and comments. Each is an expression of its own: in one for all, the end of
 * one would have the text behind each beginning of another searched.
 */
const hidden = (mark: string): string => `<${mark}[\\s/>].*?</${mark}\\s*>`;
const unseen = [...['script', 'style', 'svg', 'math'].map(hidden), '<!--.*?-->'].map((one) => raw(`'${one}'`));

/** Signs by the names that HTML 4 has for them; letters are known to the database. */
const signs = `
  nbsp iexcl¡cent¢pound£curren¤yen¥brvbar¦sect§uml¨copy©laquo«not¬reg®macr¯deg°plusmn±sup2²sup3³acute´para¶
  middot·cedil¸sup1¹raquo»frac14¼frac12½frac34¾iquest¿times×divide÷tilde˜ensp\u2002emsp\u2003thinsp\u2009zwnj\u200c
  zwj\u200dlrm\u200erlm\u200fndash–mdash—lsquo‘rsquo’sbquo‚ldquo“rdquo”bdquo„dagger†Dagger‡bull•hellip…permil‰prime′
  Prime″lsaquo‹rsaquo›oline‾frasl⁄euro€weierp℘trade™larr←uarr↑rarr→darr↓harr↔crarr↵lArr⇐uArr⇑rArr⇒dArr⇓hArr⇔forall∀
  part∂exist∃empty∅nabla∇isin∈notin∉ni∋prod∏sum∑minus−lowast∗radic√prop∝infin∞ang∠and∧or∨cap∩cup∪int∫there4∴sim∼cong≅
  asymp≈ne≠equiv≡le≤ge≥sub⊂sup⊃nsub⊄sube⊆supe⊇oplus⊕otimes⊗perp⊥sdot⋅lceil⌈rceil⌉lfloor⌊rfloor⌋lang⟨rang⟩loz◊spades♠
  clubs♣hearts♥diams♦`;
const signsByName = JSON.stringify(
  Object.fromEntries(Array.from(signs.matchAll(/([a-zA-Z]+[0-9]*)(.)/g), ([, name, sign]) => [name!, sign!])),
);

/** Null of what is no reference. A number that no character has is a blank. */
const meant = sql`coalesce(${value(signsByName, 'jsonb')} ->> reference, case when reference like '#%'
  then search_referred(reference) when reference is not null then nullif(search_referred(reference), ' ') end)`;
