/**
 * - `gas`: the contracts run for one answer used more gas together than allowed.
 * - `stack`: what a method left, or what it would be given, cannot be written down.
 */
export type ContractErrorCode = 'gas' | 'stack'

/** A contract's get-method could not finish, through the contract's own fault. */
export class ContractError extends Error {
  readonly code: ContractErrorCode

  constructor(code: ContractErrorCode, text: string) {
    super(text)
    this.name = 'ContractError'
    this.code = code
  }
}
