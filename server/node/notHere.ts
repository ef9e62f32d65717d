// The embedded chain is read by several processes: what its owner reports to the workers, and the error with which a worker refuses
// what only the owner can answer.

/** This process cannot answer; the owner of the chain can. */
export class NotHere extends Error {
  constructor() {
    super('only the process that owns the chain can read this')
    this.name = 'NotHere'
  }
}

/** One instance, as it has no facts about a call. */
export const NOT_HERE = new NotHere()

/** A change of the chain, or some of its steps, as the owner sends them to a worker. */
export interface HistoryNews {
  /** Seqno of the first step in `steps`. It replaces any step with this seqno or a higher one that was sent before. */
  readonly from: number
  /** Root hash of the masterchain block before it; null for the first. */
  readonly before: Uint8Array | null
  /** Records of the index of blocks. */
  readonly steps: Uint8Array
  /** Three numbers for each archived step: its seqno, the offset of its record, the bytes of its table. */
  readonly places: readonly number[]
  /** Seqno of the newest step of the chain. */
  readonly length: number
}
