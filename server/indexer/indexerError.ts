// What ends the indexer. Everything else that goes wrong passes: it is tried again.

/**
 * - `gap`: the chain's next block does not follow the last one indexed.
 * - `network`: the database holds the index of another network.
 * - `chain`: the database holds the index of another chain of the same network.
 * - `schema`: the tables are those of a newer version of this program.
 * - `malformed`: a block is not what its name says.
 * - `order`: a requested masterchain block does not exist on the chain.
 */
export type IndexerErrorCode = 'gap' | 'network' | 'chain' | 'schema' | 'malformed' | 'order'

/** The index cannot go on, and the text says what to do. */
export class IndexerError extends Error {
  readonly code: IndexerErrorCode

  constructor(code: IndexerErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'IndexerError'
    this.code = code
  }
}
