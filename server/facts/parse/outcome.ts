// The outcome of a transaction, read from its description's JSON text. This program wrote that text, and each of these
// names occurs in it at most once. A full JSON.parse costs more than twice as much.

export interface TransactionOutcome {
  readonly isTickTock: boolean
  readonly aborted: boolean
  readonly lackedGas: boolean
  /** Null when nothing was computed. */
  readonly exitCode: number | null
}

const ORDINARY = '{"type":"ord"'

export const isTickTock = (description: string): boolean =>
  !description.startsWith(ORDINARY) && description.includes('"tick_tock"')

const EXIT_CODE = /"exit_code":\s*(-?\d+)/

/** Found near the beginning, whichever it is: `true` alone would mostly be searched to the end. */
const ABORTED = /"aborted":\s*(true|false)/

export const isAborted = (description: string): boolean => ABORTED.exec(description)?.[1] === 'true'

export function parsedOutcome(description: string): TransactionOutcome {
  const exitCode = EXIT_CODE.exec(description)?.[1]
  return {
    isTickTock: isTickTock(description),
    aborted: isAborted(description),
    lackedGas: exitCode === undefined && description.includes('"no_gas"'),
    exitCode: exitCode === undefined ? null : Number(exitCode),
  }
}
