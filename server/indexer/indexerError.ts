// What ends the indexer, but for a restore, which ends by itself. Everything else that goes wrong passes: it is tried again.

/**
 * - `gap`: the chain's next block does not follow the last one indexed.
 * - `network`: the database holds the index of another network.
 * - `chain`: the database holds the index of another chain of the same network.
 * - `schema`: the tables are those of a newer version of this program.
 * - `restoring`: a dump is being restored into the database, so that rows are missing.
 * - `malformed`: a block is not what its name says.
 */
export type IndexerErrorCode = 'gap' | 'network' | 'chain' | 'schema' | 'restoring' | 'malformed'

/** The index cannot go on, and the text says what to do. */
export class IndexerError extends Error {
  readonly code: IndexerErrorCode

  constructor(code: IndexerErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'IndexerError'
    this.code = code
  }
}
