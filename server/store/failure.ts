// What a driver throws, as a StoreError with a code.

import pg from 'pg'
import { failureText, hasCode } from '../process/index.ts'
import { SQL_STATES } from './sqlStates.ts'
import { StoreError, type StoreErrorCode } from './storeError.ts'

/** SQLSTATE or a prefix of it; the longest prefix counts. */
const CODES: Readonly<Record<string, StoreErrorCode>> = {
  '08': 'unavailable', // connection
  '25006': 'unavailable', // read-only: what was the primary is a replica now
  '25P03': 'timeout', // idle in transaction
  '25P04': 'timeout', // a transaction
  '28': 'unavailable', // authentication failed
  '3D000': 'unavailable', // no such database
  '3F000': 'unavailable', // no such schema
  '40': 'conflict', // serialization, deadlock
  '40003': 'unavailable', // unknown whether it was committed
  '42501': 'unavailable', // permission denied, until an operator grants it
  '42703': 'mismatch', // no such column
  '42883': 'mismatch', // no such function
  '42P01': 'mismatch', // no such table
  '42P10': 'mismatch', // no such primary key
  '53': 'full',
  '53200': 'busy', // out of memory, or of shared memory for locks
  '53300': 'busy', // too many connections
  '53400': 'timeout', // a statement needs larger temporary files than it may have
  '55P03': 'busy', // lock not available
  '57014': 'timeout', // canceled, which only a time limit does
  '57P': 'unavailable', // shutting down, starting up
  '58': 'unavailable', // input and output
  XX: 'unavailable', // internal error
  XX001: 'damaged', // a page without its checksum
  XX002: 'damaged', // an index
}

/**
 * The function of PostgreSQL that refuses a user without rights. Files that it may not write, as on a read-only disk, lead to
 * the same SQL state.
 */
const CHECKS_RIGHTS = 'aclcheck_error'

const TEXTS: Readonly<Partial<Record<StoreErrorCode, (text: string) => string>>> = {
  mismatch: (text) =>
    `The tables are of another version of this program: ${text}. Where no other version uses them, put back what was removed, ` +
    'or the search_path of this user',
  damaged: (text) =>
    `Files of the database are damaged: ${text}. Go back to a copy, or use an empty database, which is filled from the chain again`,
}

function codeOf(state: string): StoreErrorCode {
  for (let length = state.length; length >= 2; length--) {
    const code = CODES[state.slice(0, length)]
    if (code !== undefined) return code
  }
  return 'failed'
}

/** States of `unavailable` that a retry does not change. */
const HOPELESS = /^(28|3D|3F|25006|42501|58|XX)/

/** Whether a retry in a moment may succeed: the connection broke, or the database starts or stops. */
export const isLost = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'unavailable' && !HOPELESS.test(error.sqlState ?? '')

/** Late by our clock and not by the server's: the statement still runs, so its connection must not be used again. */
export const isStillRunning = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'timeout' && error.sqlState === null

/** Of a login that is refused for what its address lacks. */
const LOGIN_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/, no encryption$/, 'where it takes connections over TLS only, add sslmode=verify-full to its address'],
  [/ valid client certificate$/, 'add sslcert=FILE and sslkey=FILE to its address'],
]

function textOf(code: StoreErrorCode, { code: sqlState, message, routine }: pg.DatabaseError): string {
  if (sqlState === SQL_STATES.denied && routine === CHECKS_RIGHTS)
    return `${message}: the user of the service has to own its database, as with ALTER DATABASE ... OWNER TO ...`
  if (sqlState === SQL_STATES.noSuchSchema)
    return `${message}: the search_path of this user names no schema that exists, set it as with ALTER ROLE ... SET search_path = public`
  const advice = LOGIN_ADVICE.find(([asked]) => asked.test(message))?.[1]
  return TEXTS[code]?.(message) ?? (advice === undefined ? message : `${message}; ${advice}`)
}

/** Node does not know who signed the certificate. */
const UNKNOWN_AUTHORITY = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]
const UNKNOWN_ADVICE = '; add sslrootcert=FILE to its address, with the certificate of the authority that signed it'

/** Never throws. A mistake of this program, such as a value of a wrong type, is `failed`. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  if (error instanceof pg.DatabaseError) {
    const sqlState = error.code ?? ''
    const code = codeOf(sqlState)
    return new StoreError(code, textOf(code, error), { cause: error, sqlState })
  }
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) {
    return new StoreError('failed', error.message, { cause: error })
  }
  // Errors of a broken connection have no SQLSTATE.
  const advice = hasCode(error, ...UNKNOWN_AUTHORITY) ? UNKNOWN_ADVICE : ''
  const text = `The database cannot be reached: ${failureText(error)}${advice}`
  return new StoreError('unavailable', text, { cause: error })
}
