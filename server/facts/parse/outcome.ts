// The outcome of a transaction, read from its description's JSON text. This program wrote that text, and each of these
// names occurs in it at most once. A full JSON.parse costs more than twice as much.

export interface TransactionOutcome {
  readonly isTickTock: boolean
  readonly aborted: boolean
  readonly lackedGas: boolean
  /** Null when nothing was computed. */
  readonly exitCode: number | null
}

export const isTickTock = (description: string): boolean => description.includes('"tick_tock"')

const EXIT_CODE = /"exit_code":\s*(-?\d+)/

export const isAborted = (description: string): boolean => /"aborted":\s*true/.test(description)

export function outcomeOf(description: string): TransactionOutcome {
  const exitCode = EXIT_CODE.exec(description)?.[1]
  return {
    isTickTock: isTickTock(description),
    aborted: isAborted(description),
    lackedGas: description.includes('"no_gas"'),
    exitCode: exitCode === undefined ? null : Number(exitCode),
  }
}
