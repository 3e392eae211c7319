// The shapes of the search segment. Knows documents and fields, not skills.

/** One document to index. Fields by weight: name > description > details > body. All text is original, unescaped. */
export interface SegmentDocument {
  readonly name: string;
  readonly description: string;
  /** Compatibility, metadata values, path. */
  readonly details: string;
  readonly body: string;
}

export interface SearchScope {
  /** Documents [from, to) are searched. */
  readonly from: number;
  readonly to: number;
  /**
   * The group each document is folded under, -1 = not found by search. A group's number orders ties. Never changed
   * once searched with: what is derived from an array is kept for it.
   */
  readonly groupOf: Int32Array;
  /** Groups outside [groupFrom, groupTo) are dropped. */
  readonly groupFrom: number;
  readonly groupTo: number;
}

export interface SearchPage {
  /** Go on behind this hit; null = from the best. */
  readonly after: { readonly score: number; readonly group: number } | null;
  readonly limit: number;
}

export interface GroupHit {
  readonly group: number;
  /** Integer; the group's best document's. Equal on every machine. */
  readonly score: number;
  /** Up to six matching documents, best first, ties by number. */
  readonly docs: readonly number[];
  /** How many documents of the group match. */
  readonly matching: number;
  /** Whether the document that the group is numbered after is in scope and matches. */
  readonly own: boolean;
}

export interface SearchResult {
  /** By score descending, then group ascending. */
  readonly hits: readonly GroupHit[];
  readonly more: boolean;
  /** The query holds no searchable token. */
  readonly empty: boolean;
}
