// What goes wrong with an index: whether it passes, whether it forbids reading, and how it is put to operators.

import { ParseError } from '../facts/index.ts'
import { LiteError, ProofError } from '../node/index.ts'
import { StoreError } from '../store/index.ts'
import { IndexerError, type IndexerErrorCode } from './indexerError.ts'

/** What trying again does not change. */
export const isFinal = (error: unknown): boolean =>
  error instanceof IndexerError ||
  error instanceof ParseError ||
  (error instanceof StoreError && (error.code === 'locked' || error.code === 'mismatch'))

const REFUSING: readonly IndexerErrorCode[] = ['network', 'chain', 'schema']

/** Whether an index is not ours to read. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof IndexerError
    ? REFUSING.includes(error.code)
    : error instanceof StoreError && error.code === 'mismatch'

/** Of the program itself, for which the place in it is worth a look. */
const isFault = (error: unknown): boolean =>
  !(
    error instanceof IndexerError ||
    error instanceof ParseError ||
    error instanceof StoreError ||
    error instanceof LiteError ||
    error instanceof ProofError
  )

/** What a log line says of it: one sentence, and of a fault of the program where it came from. */
export const factsOfTrouble = (error: unknown, text = troubleText(error)): object =>
  isFault(error) ? { reason: text, err: error } : { reason: text }

/** Whether it lies in what is indexed, or in the program: then the block matters. */
export const isOfBlock = (error: unknown): boolean =>
  isFault(error) || error instanceof ParseError || (error instanceof StoreError && error.code === 'failed')

export const troubleText = (error: unknown): string =>
  error instanceof ProofError
    ? `${error.server ?? 'the chain'} gave a wrong answer: ${error.message}`
    : error instanceof StoreError && error.code === 'full'
      ? `no room on the disk of the database: ${error.message}`
      : error instanceof Error
        ? error.message
        : String(error)
