// Checks parameters of a query before they are used: a hash of the wrong size is refused with a clear text instead of
// failing inside a dictionary.

import { type AccountId, type BlockIdExt, LiteError, type ShardId } from '../../node/index.ts'

export type WantedParams = readonly number[] | 'all'

/** Parameters of one query. */
const MOST_PARAMS = 256
const HASH = 32

export function checkHash(hash: Uint8Array, what: string): void {
  if (hash.length !== HASH) throw new LiteError('badQuery', `${what} has ${HASH} bytes, not ${hash.length}`)
}

function checkWorkchain(workchain: number): void {
  if (workchain !== (workchain | 0)) throw new LiteError('badQuery', `${workchain} is no workchain`)
}

export function checkAccount({ workchain, hash }: AccountId): void {
  checkWorkchain(workchain)
  checkHash(hash, 'an account id')
}

export function checkShard({ workchain, shard }: ShardId): void {
  checkWorkchain(workchain)
  if (BigInt.asUintN(64, shard) === 0n) throw new LiteError('badQuery', 'requested shard is invalid')
}

/** Blocks are looked up by the shard of an account prefix; any 64 bits are one. */
export const checkPlace = ({ workchain }: ShardId): void => checkWorkchain(workchain)

const isNamed = (hash: Uint8Array): boolean => hash.length === HASH && hash.some((byte) => byte !== 0)

export function checkBlockId({ rootHash, fileHash }: BlockIdExt): void {
  if (!isNamed(rootHash) || !isNamed(fileHash)) throw new LiteError('badQuery', 'invalid BlockIdExt')
}

/** Logical times of the wire are signed; here they are not. */
export const unsignedLt = (lt: bigint): bigint => BigInt.asUintN(64, lt)

/** Throws LiteError `badQuery` for too many parameters, or a number that is not 32 bits. */
export function checkWanted(wanted: WantedParams): void {
  if (wanted === 'all') return
  if (wanted.length > MOST_PARAMS)
    throw new LiteError('badQuery', `too long param list: up to ${MOST_PARAMS} parameters can be requested at once`)
  const odd = wanted.find((number) => number !== (number | 0))
  if (odd !== undefined) throw new LiteError('badQuery', `${odd} is no number of a parameter`)
}
