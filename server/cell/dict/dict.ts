// Dictionaries as values: an immutable root plus what is known of its keys and values. Every change gives a new one that
// shares all it can with the old.

import { Builder } from '../builder.ts'
import type { Cell } from '../cell.ts'
import { DictError } from '../cellErrors.ts'
import { openCell, type Slice } from '../slice.ts'
import { applyChanges, type DictChange } from './change.ts'
import type { KeyCodec } from './codecs.ts'
import { extraOf, parseLabel } from './dictNode.ts'
import { countEntries, findLeaf, walkDict } from './find.ts'
import type { Augmentation, Codec, Shape } from './shape.ts'
import { smallestFirst } from './smallestFirst.ts'

/** All dictionaries of one form: `Hashmap n X`, or `HashmapAug n X Y` with an augmentation. */
export interface DictKind<K, V, X = null> extends Shape<V, X> {
  readonly key: KeyCodec<K>
}

/** The kind of plain dictionaries with these keys and values. */
export const dictKind = <K, V>(key: KeyCodec<K>, value: Codec<V>): DictKind<K, V> => ({
  key,
  keyBits: key.bits,
  value,
  augmentation: null,
})

/** The kind of augmented dictionaries with these keys and values. */
export const augDictKind = <K, V, X>(
  key: KeyCodec<K>,
  value: Codec<V>,
  augmentation: Augmentation<V, X>,
): DictKind<K, V, X> => ({ key, keyBits: key.bits, value, augmentation })

export interface EntriesOptions<K> {
  /** Start here, in the direction of the walk. */
  readonly from?: K
  /** Whether the entry at `from` counts; yes by default. */
  readonly inclusive?: boolean
  readonly reverse?: boolean
  /**
   * Of a dictionary with parts cut off, only the entries that are shown. Takes time in proportion to the cells, for
   * which no part of the dictionary may occur twice: true where a value determines its key.
   */
  readonly shownOnly?: boolean
}

export class Dict<K, V, X = null> {
  readonly kind: DictKind<K, V, X>
  readonly root: Cell | null
  private knownExtra: X | undefined

  constructor(kind: DictKind<K, V, X>, root: Cell | null, extra?: X) {
    this.kind = kind
    this.root = root
    this.knownExtra = extra
  }

  get isEmpty(): boolean {
    return this.root === null
  }

  /** What the augmentation says of all entries; undefined for a plain dictionary. */
  get extra(): X | undefined {
    const { augmentation, keyBits } = this.kind
    if (this.knownExtra === undefined && augmentation !== null)
      this.knownExtra = this.root === null ? augmentation.empty : extraOf(augmentation, this.root, keyBits)
    return this.knownExtra
  }

  /** The leaf unparsed, augmentation skipped. */
  getSlice(key: K, shownOnly = false): Slice | undefined {
    const leaf = findLeaf(this.root, this.kind.key.encode(key), { keyBits: this.kind.keyBits, shownOnly })
    if (leaf === null) return undefined
    this.kind.augmentation?.load(leaf)
    return leaf
  }

  get(key: K): V | undefined {
    const leaf = this.getSlice(key)
    return leaf === undefined ? undefined : this.kind.value.load(leaf)
  }

  /** Of a dictionary with parts cut off: undefined too for a key in one of them, at which `get` throws. */
  getShown(key: K): V | undefined {
    const leaf = this.getSlice(key, true)
    return leaf === undefined ? undefined : this.kind.value.load(leaf)
  }

  has(key: K): boolean {
    return findLeaf(this.root, this.kind.key.encode(key), { keyBits: this.kind.keyBits }) !== null
  }

  set(key: K, value: V): Dict<K, V, X> {
    return this.apply([{ key: this.kind.key.encode(key), value }])
  }

  delete(key: K): Dict<K, V, X> {
    return this.apply([{ key: this.kind.key.encode(key), value: null }])
  }

  /** Many changes in one pass; `null` deletes. Of several changes to a key the last counts. */
  update(changes: Iterable<readonly [K, V | null]>): Dict<K, V, X> {
    const list: DictChange<V>[] = []
    for (const [key, value] of changes) list.push({ key: this.kind.key.encode(key), value })
    return this.apply(inOrder(list))
  }

  private apply(changes: readonly DictChange<V>[]): Dict<K, V, X> {
    const root = applyChanges(this.kind, this.root, changes)
    return root === this.root ? this : new Dict(this.kind, root)
  }

  /**
   * How many entries there are; visits all of them, but no more than just over `limit`. Give a limit for cells of
   * strangers: by sharing subtrees a few cells can claim more entries than anyone could walk.
   */
  count(limit = Number.MAX_SAFE_INTEGER): number {
    return countEntries(this.root, this.kind.keyBits, limit)
  }

  *entries(options: EntriesOptions<K> = {}): Generator<[K, V]> {
    const { key } = this.kind
    const from = options.from === undefined ? null : key.encode(options.from)
    const { reverse = false, inclusive = true, shownOnly = false } = options
    const how = { signed: key.signed, reverse, from, inclusive, shownOnly }
    for (const [bytes, value] of walkDict(this.root, this.kind, how)) yield [key.decode(bytes), value]
  }

  /**
   * Entries whose encoded keys begin with these bytes, by their extras, of which every node must state the smallest below
   * it. Opens little more than what is taken; equal extras come in any order.
   */
  *smallestFirst(prefix: Uint8Array, compare: (a: X, b: X) => number): Generator<[K, V]> {
    const { kind, root } = this
    const { augmentation, key } = kind
    if (augmentation === null) throw new TypeError('a plain dictionary has no extras')
    const all = smallestFirst(root, { shape: kind, augmentation }, { prefix, compare })
    for (const [bytes, value] of all) yield [key.decode(bytes), value]
  }

  [Symbol.iterator](): Generator<[K, V]> {
    return this.entries()
  }

  *keys(): Generator<K> {
    for (const [key] of this.entries()) yield key
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value
  }

  private first(options: EntriesOptions<K>): [K, V] | undefined {
    for (const entry of this.entries(options)) return entry
    return undefined
  }

  min(): [K, V] | undefined {
    return this.first({})
  }

  max(): [K, V] | undefined {
    return this.first({ reverse: true })
  }

  /** The entry with the next greater key. */
  next(key: K, inclusive = false): [K, V] | undefined {
    return this.first({ from: key, inclusive })
  }

  /** The entry with the next smaller key. */
  previous(key: K, inclusive = false): [K, V] | undefined {
    return this.first({ from: key, inclusive, reverse: true })
  }
}

function compareKeys(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) {
    const differ = (a[i] ?? 0) - (b[i] ?? 0)
    if (differ !== 0) return differ
  }
  return 0
}

function inOrder<V>(changes: DictChange<V>[]): DictChange<V>[] {
  const isSorted = changes.every((change, i) => {
    const before = changes[i - 1]
    return before === undefined || compareKeys(before.key, change.key) < 0
  })
  if (isSorted) return changes
  changes.sort((a, b) => compareKeys(a.key, b.key))
  return changes.filter((change, i) => {
    const after = changes[i + 1]
    return after === undefined || compareKeys(change.key, after.key) !== 0
  })
}

export const emptyDict = <K, V, X>(kind: DictKind<K, V, X>): Dict<K, V, X> => new Dict(kind, null)

/** A dictionary of all entries at once, in any order. */
export const buildDict = <K, V, X>(kind: DictKind<K, V, X>, entries: Iterable<readonly [K, V]>): Dict<K, V, X> =>
  emptyDict(kind).update(entries)

/** `HashmapE`, or `HashmapAugE` for an augmented kind. */
export function loadDict<K, V, X>(slice: Slice, kind: DictKind<K, V, X>): Dict<K, V, X> {
  const root = slice.loadMaybeRef()
  return kind.augmentation === null ? new Dict(kind, root) : new Dict(kind, root, kind.augmentation.load(slice))
}

/** `HashmapE`, or `HashmapAugE` for an augmented kind. */
export function storeDict<K, V, X>(builder: Builder, dict: Dict<K, V, X>): Builder {
  builder.storeMaybeRef(dict.root)
  const { augmentation } = dict.kind
  const { extra } = dict
  if (augmentation !== null && extra !== undefined) augmentation.store(builder, extra)
  return builder
}

/** `Hashmap` or `HashmapAug`: the root node is in the slice itself, followed by other fields. */
export function loadInlineDict<K, V, X>(slice: Slice, kind: DictKind<K, V, X>): Dict<K, V, X> {
  const start = slice.clone()
  const { position, remainingBits, cell } = slice
  const label = parseLabel(cell.bytes, position, position + remainingBits, kind.keyBits)
  const isFork = label.length < kind.keyBits
  slice.skip(label.end - position)
  if (isFork) slice.skipRefs(2)
  kind.augmentation?.load(slice)
  if (!isFork) kind.value.load(slice)
  return new Dict(kind, new Builder().storeSlice(slice.since(start)).end())
}

/** `Hashmap` or `HashmapAug`. Throws DictError `empty`: this form has no place for an empty dictionary. */
export function storeInlineDict<K, V, X>(builder: Builder, dict: Dict<K, V, X>): Builder {
  if (dict.root === null) throw new DictError('empty', 'a dictionary without entries cannot stand inline')
  return builder.storeSlice(openCell(dict.root))
}
