/** Adds to the text of an item how well it fits and where the words stand. */
import { type Tree, treeJson, treeXml } from '../../representation/tree.js';
import { marked, wordsApart } from './marks.js';
import type { Term } from './search-text.js';

/** A row of the search. */
export interface Match {
  id: number;
  rank: number;
  /** The comment that fits best; undefined: the item itself. */
  commentId?: number;
  name: string;
  /** Of the description or the comment. */
  piece: string | null;
  /** Their names. */
  tags: string | null;
}

const element = 'Found';

export function withMatch(item: string, match: Match, terms: readonly Term[], format: 'json' | 'xml'): string {
  const tree = treeOf(match, terms);
  if (format === 'json') return `${item.slice(0, -1)},"${element}":${treeJson(tree)}}`;
  return withElement(item, treeXml(element, tree));
}

/** As the last element of an item, which has none where only attributes were asked for. */
function withElement(item: string, text: string): string {
  const isEmpty = item.endsWith(' />');
  if (isEmpty) return `${item.slice(0, -' />'.length)}>${text}</${/^<(\w+)/.exec(item)![1]}>`;
  const end = item.lastIndexOf('</');
  return item.slice(0, end) + text + item.slice(end);
}

function treeOf({ rank, commentId, name, piece, tags }: Match, terms: readonly Term[]): Tree {
  const texts = [
    { Field: 'Name', Html: marked(name, terms) },
    {
      Field: commentId === undefined ? 'Description' : 'Comment',
      Html: piece === null ? undefined : (marked(piece, terms) ?? marked(piece, wordsApart(terms))),
    },
    { Field: 'Tags', Html: tags === null ? undefined : marked(tags, terms) },
  ];
  return {
    Rank: rank,
    ...(commentId !== undefined && { CommentId: commentId }),
    Highlights: { item: 'Highlight', Items: texts.filter(({ Html }) => Html !== undefined) },
  };
}
