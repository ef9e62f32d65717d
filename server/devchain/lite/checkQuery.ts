// What callers hand in is looked at before anything is looked up by it: a name of the wrong size is their mistake, and is
// said so, instead of failing somewhere within a dictionary.

import { type AccountId, type BlockIdExt, LiteError, type ShardId } from '../../node/index.ts'

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

/** Blocks are looked for by where an account would be; any 64 bits are such a place. */
export const checkPlace = ({ workchain }: ShardId): void => checkWorkchain(workchain)

const isNamed = (hash: Uint8Array): boolean => hash.length === HASH && hash.some((byte) => byte !== 0)

export function checkBlockId({ rootHash, fileHash }: BlockIdExt): void {
  if (!isNamed(rootHash) || !isNamed(fileHash)) throw new LiteError('badQuery', 'invalid BlockIdExt')
}

/** Logical times of the wire are signed; here they are not. */
export const unsignedLt = (lt: bigint): bigint => BigInt.asUintN(64, lt)
