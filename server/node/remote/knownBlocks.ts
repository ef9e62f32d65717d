// Ids of masterchain blocks that were proven, of one branch of the chain. An id is 64 bytes, a proof of it a call of a server.

import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'

/** A megabyte: two hours of mainnet. */
const MOST_IDS = 16_384
const HASH_BYTES = 32
const ID_BYTES = 2 * HASH_BYTES

export class KnownBlocks {
  readonly #hashes = new Uint8Array(MOST_IDS * ID_BYTES)
  /** Of the id at each place; 0 at an empty one. */
  readonly #seqnos = new Uint32Array(MOST_IDS)

  get(seqno: number): BlockIdExt | null {
    const place = seqno % MOST_IDS
    if (seqno === 0 || this.#seqnos[place] !== seqno) return null
    const at = place * ID_BYTES
    const rootHash = this.#hashes.slice(at, at + HASH_BYTES)
    const fileHash = this.#hashes.slice(at + HASH_BYTES, at + ID_BYTES)
    return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash }
  }

  /** In place of one with the same remainder, which is thousands of blocks away. */
  add({ seqno, rootHash, fileHash }: Pick<BlockIdExt, 'seqno' | 'rootHash' | 'fileHash'>): void {
    const place = seqno % MOST_IDS
    if (seqno === 0 || this.#seqnos[place] === seqno) return
    this.#seqnos[place] = seqno
    this.#hashes.set(rootHash, place * ID_BYTES)
    this.#hashes.set(fileHash, place * ID_BYTES + HASH_BYTES)
  }

  /** When the chain was reverted. */
  clear(): void {
    this.#seqnos.fill(0)
  }
}
