// Failures of the indexer: whether a retry can help, whether the index may still be read, and what the log says of them.

import type { IndexFrom } from '../../shared/indexFrom.ts'
import { ParseError } from '../facts/index.ts'
import { LiteError, ProofError } from '../node/index.ts'
import { StoreError } from '../store/index.ts'
import { IndexerError, type IndexerErrorCode } from './indexerError.ts'

/** Failures that a retry cannot mend. A table that the database does not find may be back soon, as after a restore into it. */
export const isFinal = (error: unknown): boolean =>
  (error instanceof IndexerError && error.code !== 'restoring') ||
  error instanceof ParseError ||
  (error instanceof StoreError && (error.code === 'locked' || (error.code === 'mismatch' && error.sqlState === null)))

const REFUSING: readonly IndexerErrorCode[] = ['network', 'chain', 'schema', 'restoring']

/** Whether the index is of another chain or version, or is being restored, so that it must not be read. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof IndexerError
    ? REFUSING.includes(error.code)
    : error instanceof StoreError && error.code === 'mismatch'

/** A fault of this program: the log then has the stack. */
const isFault = (error: unknown): boolean =>
  !(
    error instanceof IndexerError ||
    error instanceof ParseError ||
    error instanceof StoreError ||
    error instanceof LiteError ||
    error instanceof ProofError
  )

/** Fields of a log line about a failure: its text, and the stack of a fault of this program. */
export const factsOfTrouble = (error: unknown, text = troubleText(error)): object =>
  isFault(error) ? { reason: text, err: error } : { reason: text }

/** Some servers report no more than a word for a reason: the query and the name of the server are added. */
function liteText({ message, asked }: LiteError): string {
  if (asked === null || message.includes(asked.server)) return message
  const { server, verb, seqno } = asked
  const of = seqno === null ? '' : ` at block ${seqno}`
  return verb === null ? `${message}, from ${server}` : `${message}, from ${server} to ${verb}${of}`
}

/** Whether the block or this program caused it: then the log names the block. */
export const isOfBlock = (error: unknown): boolean =>
  isFault(error) || error instanceof ParseError || (error instanceof StoreError && error.code === 'failed')

export const troubleText = (error: unknown): string =>
  error instanceof ProofError
    ? `${error.server ?? 'the chain'} gave a wrong answer: ${error.message}`
    : error instanceof StoreError && error.code === 'full'
      ? `no room on the disk of the database: ${error.message}`
      : error instanceof LiteError
        ? liteText(error)
        : error instanceof Error
          ? error.message
          : String(error)

/** A missing block that is older than so many blocks is not late: the servers have removed it. */
const OLD_BLOCKS = 50

/** Added to the text of a failure where no server keeps the next block: what to do about it. */
export const adviceOnPast = (error: unknown, newest: number | undefined, at: number | null): string =>
  error instanceof LiteError && error.isMissing && newest !== undefined && at !== null && newest - at > OLD_BLOCKS
    ? '; no lite server that was called keeps this old block: add an archive server to the list, or begin an empty index with a later --index-from'
    : ''

/** The number of the block that an empty index begins with; null where only a time is named, or nothing. */
export const indexFromSeqno = (from: IndexFrom | null | undefined): number | null =>
  from != null && typeof from === 'object' && 'seqno' in from ? from.seqno : null
