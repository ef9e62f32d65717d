/**
 * - `gas`: the contracts that were asked for one answer used more than they may together.
 * - `stack`: what a method left, or what it would be given, cannot be written down.
 */
export type ContractErrorCode = 'gas' | 'stack'

/** A contract could not be asked to the end, and it is to blame. */
export class ContractError extends Error {
  readonly code: ContractErrorCode

  constructor(code: ContractErrorCode, text: string) {
    super(text)
    this.name = 'ContractError'
    this.code = code
  }
}
