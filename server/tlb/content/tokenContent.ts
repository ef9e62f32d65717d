// Metadata of a jetton, a collection or an item (TEP-64): where its description lies, or the description itself
// in a dictionary whose keys are the SHA-256 of the attributes' names.

import {
  type BinaryHash,
  type Cell,
  CellError,
  dictHashKey,
  dictKind,
  loadDict,
  openCell,
  type Slice,
  sha256,
  sliceValue,
} from '../../cell/index.ts'
import { TlbError, unknownTag } from '../fields.ts'
import { chunkedBytes, snakeBytes, utf8Text } from './snake.ts'

const ATTRIBUTES = [
  'uri',
  'name',
  'description',
  'image',
  'image_data',
  'symbol',
  'decimals',
  'amount_style',
  'render_type',
] as const

export type TokenAttribute = (typeof ATTRIBUTES)[number]

export type TokenContent =
  | { readonly kind: 'offchain'; readonly uri: string }
  /** With `uri` among the values the rest of the description lies there: semi-chain. `image_data` is base64. */
  | { readonly kind: 'onchain'; readonly values: Readonly<Partial<Record<TokenAttribute, string>>> }

const KEYS: readonly (readonly [TokenAttribute, BinaryHash])[] = ATTRIBUTES.map((name) => [
  name,
  sha256(Buffer.from(name)),
])

const ONCHAIN = 0
const OFFCHAIN = 1
const SNAKE = 0
const CHUNKS = 1

/** Of one value. An account can hold some eight times as much. */
const MOST_BYTES = 1 << 20

/** Of all values, besides the first of each: as many as an account can have. Those that values share count for each of them. */
const MOST_CELLS = 1 << 16

type Open = (cell: Cell) => Slice | null

/** Opens so many ordinary cells. */
function opener(most: number): Open {
  let left = most
  return (cell) => (cell.isExotic || --left < 0 ? null : openCell(cell))
}

const valuesKind = dictKind(dictHashKey, sliceValue)

/** Values are behind a reference; some contracts keep them in the leaf itself. */
function* valueBytes(leaf: Slice, open: Open): Generator<void, Buffer | null> {
  const slice = leaf.remainingBits === 0 && leaf.remainingRefs > 0 ? openCell(leaf.loadRef()) : leaf
  switch (slice.loadUint(8)) {
    case SNAKE:
      return snakeBytes(slice, MOST_BYTES, open)
    case CHUNKS:
      return yield* chunkedBytes(slice, MOST_BYTES, open)
    default:
      return null
  }
}

/** Null for one that cannot be read. */
function* bytesIn(leaf: Slice, open: Open): Generator<void, Buffer | null> {
  try {
    return yield* valueBytes(leaf, open)
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

/** Values of another form, too long or not in UTF-8 are left out, as are unknown keys. */
function* loadingValues(slice: Slice): Generator<void, Partial<Record<TokenAttribute, string>>> {
  const dict = loadDict(slice, valuesKind)
  const open = opener(MOST_CELLS)
  const values: Partial<Record<TokenAttribute, string>> = {}
  for (const [name, key] of KEYS) {
    const leaf = dict.getSlice(key)
    const bytes = leaf === undefined ? null : yield* bytesIn(leaf, open)
    const text = bytes && (name === 'image_data' ? bytes.toString('base64') : utf8Text(bytes))
    if (text !== null) values[name] = text
    yield
  }
  return values
}

/** In pieces: values may have megabytes. Reads to the end of what it knows. Takes bounded time on any cells. */
export function* loadingTokenContent(slice: Slice): Generator<void, TokenContent> {
  const tag = slice.loadUint(8)
  if (tag === ONCHAIN) return { kind: 'onchain', values: yield* loadingValues(slice) }
  if (tag !== OFFCHAIN) return unknownTag(tag, 'TokenContent')
  const bytes = snakeBytes(slice, MOST_BYTES)
  const uri = bytes && utf8Text(bytes)
  if (uri === null) throw new TlbError('value', 'the link to the content is not UTF-8')
  return { kind: 'offchain', uri }
}
