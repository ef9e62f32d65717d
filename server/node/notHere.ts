// A chain that several processes read: what its owner tells the others, and how they refuse what only the owner can answer.

/** What was asked for is not in this process: the owner of the chain is to be asked. */
export class NotHere extends Error {
  constructor() {
    super('only the process that owns the chain can read this')
    this.name = 'NotHere'
  }
}

/** One for all: it says nothing about a call. */
export const NOT_HERE = new NotHere()

/** What an owner tells of the steps of its chain. */
export interface HistoryNews {
  /** The first step that follows; steps from here on that were told before are undone. */
  readonly from: number
  /** Root hash of the masterchain block before it; null for the first. */
  readonly before: Uint8Array | null
  /** Records of the index of blocks. */
  readonly steps: Uint8Array
  /** Three numbers for each step that is archived: which, the offset of its record, bytes of its table. */
  readonly places: readonly number[]
  /** How many steps there are. */
  readonly length: number
}
