/** How long the text of what an expression shows may become. */

import { limits } from '../limits.js';
import type { Operand } from '../meaning.js';
import { type Chain, type Value } from '../meaning.js';
import { isOf } from '../parts.js';
import { itemOf } from '../values.js';
import {
  collectionSize,
  longestText,
  noSize,
  partSize,
  type Size,
  sizeOf,
  sizeOfAll,
  textSize,
} from './answer-size.js';

export function expressionSize(node: Value): Size {
  if (isOf(node, 'single', 'test', 'entity')) return scalarSize(node);
  switch (node.kind) {
    case 'object':
      return sizeOfAll(node.members.map((member) => expressionSize(member.value)));
    case 'item':
      return sizeOf(node.shown ?? node.plan);
    case 'customFields':
      return textSize(longestText);
    case 'mapped':
      return expressionSize(node.body);
    case 'first':
      return node.of.projection ? expressionSize(node.of.projection) : noSize;
    case 'chain':
      return collectionSize(pageOf(node), expressionSize(node.projection!));
    case 'conditional':
      return larger(expressionSize(node.yes), expressionSize(node.no));
    case 'key':
      return node.type.kind === 'object' ? textSize(longestText) : scalarSize(node);
  }
}

export const pageOf = ({ take = limits.take }: Chain) => ({ take });

const larger = (one: Size, other: Size): Size => ({
  bytes: Math.max(one.bytes, other.bytes),
  long: Math.max(one.long, other.long),
});

const scalarSize = (node: Value): Size => (node.type.kind === 'text' ? textSize(charactersOf(node)) : partSize(100));

/** Of a text at most. */
function charactersOf(node: Value): number {
  if (node.type.kind !== 'text' || isOf(node, 'test', 'entity', 'shape')) return 50;
  switch (node.kind) {
    case 'literal':
      return String(node.value ?? '').length;
    case 'field':
      return charactersOfField(node.operand);
    case 'call':
      return Math.min(longestText, node.function.characters ?? sumOf(node.args));
    case 'conditional':
      return Math.max(charactersOf(node.yes), charactersOf(node.no));
    case 'aggregate':
      return node.value ? charactersOf(node.value) : longestText;
    case 'first':
      return charactersOf(itemOf(node.of));
    case 'late':
    case 'element':
    case 'key':
      return longestText;
  }
}

const sumOf = (nodes: readonly Value[]): number => nodes.reduce((sum, node) => sum + charactersOf(node), 0);

const charactersOfField = (operand: Operand): number =>
  operand.kind === 'field'
    ? (operand.field.maxLength ?? (operand.field.scalar === 'choice' ? 100 : longestText))
    : longestText;
