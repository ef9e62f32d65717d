// How far the index is, as calls need it; the room that fills the index is not below the methods.

export interface IndexProgress {
  /** Null before the first block, and in a process that has not read the index yet. */
  indexed(): { readonly seqno: number; readonly utime: number } | null
  /** Calls back when the index has moved, until the returned function is called. */
  onIndexed(listener: () => void): () => void
  /** Resolves with whether a masterchain block is indexed, at once or within the time. */
  waitFor(mcSeqno: number, options: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<boolean>
  /** Looks at the index at once instead of at the next poll: a read has found this masterchain block there. */
  lookSoon(mcSeqno: number): void
}
