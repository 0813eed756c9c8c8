/**
 * What a client sent in a body, without regard to its format. JSON and XML parsers make the same payload; nothing after
 * them knows which it was. Names are as sent; values are not typed yet.
 */
export type PayloadValue =
  | { kind: 'null' }
  | { kind: 'text'; text: string }
  /** `text` is the number as the client wrote it, so that no digit of a decimal is lost. */
  | { kind: 'number'; text: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'object'; object: Payload }
  | { kind: 'list'; items: PayloadValue[] };

/** One entity as sent. Member names are unique without regard to case; order is as sent. */
export interface Payload {
  members: PayloadMember[];
}

export interface PayloadMember {
  name: string;
  value: PayloadValue;
}

/** A body is one entity or, for bulk, a list of them. */
export type Body = { kind: 'one'; entity: Payload } | { kind: 'many'; entities: Payload[] };

/** Limits of a body (see docs/contract.md, "Limits"). */
export const bodyLimits = {
  bytes: 10 * 1024 * 1024,
  depth: 20,
  members: 200_000,
  bulk: 1000,
} as const;
