// The dictionary of first amounts of a mintless jetton (TEP-177), published off chain as a bag of cells. The contract
// names it by its hash, so its server can withhold it and nothing else.

import {
  type Builder,
  bigKey,
  type Cell,
  CellError,
  Dict,
  dictKind,
  MAX_DEPTH,
  readBoc,
  type Slice,
  sameBytes,
} from '../cell/index.ts'
import type { AirdropAmount } from '../store/index.ts'
import { FetchError } from './fetchError.ts'

/** Cells can share subtrees: a few of them can claim any number of entries. */
const MOST_AMOUNTS = 100_000
/** `addr_std` without anycast. */
const STD = 0b100n
const KEY_BITS = 267
const BIAS = 128

type Terms = Omit<AirdropAmount, 'owner'>

const terms = {
  load: (slice: Slice): Terms => ({
    amount: slice.loadCoins(),
    startFrom: slice.loadUintBig(48),
    expireAt: slice.loadUintBig(48),
  }),
  store: (builder: Builder, { amount, startFrom, expireAt }: Terms): void => {
    builder.storeCoins(amount).storeUint(startFrom, 48).storeUint(expireAt, 48)
  },
}

/** First amounts by the owner's address. */
export const airdropKind = dictKind(bigKey(KEY_BITS), terms)

function ownerOf(key: bigint): Uint8Array {
  if (key >> 264n !== STD) throw new FetchError('refused', 'an amount is for something else than an account')
  const hash = BigInt.asUintN(256, key).toString(16).padStart(64, '0')
  const workchain = Number(BigInt.asIntN(8, key >> 256n))
  return Buffer.concat([Buffer.of(workchain + BIAS), Buffer.from(hash, 'hex')])
}

function rootOf(bytes: Uint8Array, root: Uint8Array): Cell {
  const cell = readBoc(bytes, { maxDepth: MAX_DEPTH })
  // As a whole: a tree with parts cut off has the hash of the whole one at its lowest level only.
  if (!sameBytes(cell.hashBytes(), root))
    throw new FetchError('refused', 'the hash of the dictionary is not the one the contract names')
  return cell
}

/** What the dictionary with this root hash says. Throws FetchError `refused` for anything else. */
export function* amountsOfAirdrop(bytes: Uint8Array, root: Uint8Array): Generator<AirdropAmount> {
  let count = 0
  try {
    for (const [key, value] of new Dict(airdropKind, rootOf(bytes, root))) {
      if (++count > MOST_AMOUNTS) throw new FetchError('refused', `the dictionary has over ${MOST_AMOUNTS} amounts`)
      yield { owner: ownerOf(key), ...value }
    }
  } catch (cause) {
    if (cause instanceof CellError) throw new FetchError('refused', 'the answer is not a dictionary', { cause })
    throw cause
  }
}
