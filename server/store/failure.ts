// From whatever a driver throws to a StoreError, by its code.

import pg from 'pg'
import { StoreError, type StoreErrorCode } from './errors.ts'

/** SQLSTATE, or its first letters, to what it means here; the longest that fits counts. */
const CODES: Readonly<Record<string, StoreErrorCode>> = {
  '08': 'unavailable', // connection
  '25006': 'unavailable', // read-only: what was the primary is a replica now
  '25P03': 'timeout', // idle in transaction
  '28': 'unavailable', // who we are is not believed
  '3D000': 'unavailable', // no such database
  '40': 'conflict', // serialization, deadlock
  '40003': 'unavailable', // whether it was committed is not known
  '53': 'full',
  '53300': 'busy', // too many connections
  '55P03': 'busy', // lock not to be had
  '57014': 'timeout', // ended, which only a time limit does
  '57P': 'unavailable', // stopping, starting
  '58': 'unavailable', // input and output
  XX: 'unavailable', // a failure inside, or a damaged file
}

function codeOf(state: string): StoreErrorCode {
  for (let length = state.length; length >= 2; length--) {
    const code = CODES[state.slice(0, length)]
    if (code !== undefined) return code
  }
  return 'failed'
}

/** States that no waiting changes, unlike the others that are `unavailable`. */
const HOPELESS = /^(28|3D|25006|58|XX)/

/** Whether the same read may be tried again in a moment: the connection broke, or the database starts or stops. */
export const isLost = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'unavailable' && !HOPELESS.test(error.sqlState ?? '')

/** Late by our clock and not by the server's, which is at it still: its connection is of no use. */
export const isStillRunning = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'timeout' && error.sqlState === null

/** Never throws. What is a mistake of our own, such as a value of a wrong type, is `failed`. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (error instanceof pg.DatabaseError) {
    const sqlState = error.code ?? ''
    return new StoreError(codeOf(sqlState), error.message, { cause: error, sqlState })
  }
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) {
    return new StoreError('failed', error.message, { cause: error })
  }
  // What the driver says of a broken connection has no code of SQL; what the system says has one of its own.
  const text = error instanceof Error ? error.message : String(error)
  return new StoreError('unavailable', `The database cannot be reached: ${text}`, { cause: error })
}
