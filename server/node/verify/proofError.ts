// What the verifier throws: the answer is not to be believed, and why.

/**
 * - `malformed`: bytes that are no proof at all, or one with holes where it must have none.
 * - `answer`: an answer to another question than the one asked.
 * - `missing`: the answer comes without the proof it needs.
 * - `hash`: a tree or a file does not have the hash it was named by.
 * - `block`, `state`, `shard`, `account`, `transaction`, `list`, `config`, `library`, `queue`: what is proven of it is
 *   something else than what the answer says.
 * - `link`: a step between two blocks that does not lead where it says.
 * - `validators`, `signature`: signed by others than those who had to, or not signed at all.
 * - `trust`: the chain as a whole is not to be believed: another network's, too old, or ahead of the clock.
 * - `unsupported`: a form of proof that this verifier cannot judge.
 */
export type ProofErrorCode =
  | 'malformed'
  | 'answer'
  | 'missing'
  | 'hash'
  | 'block'
  | 'state'
  | 'shard'
  | 'account'
  | 'transaction'
  | 'list'
  | 'config'
  | 'library'
  | 'queue'
  | 'link'
  | 'validators'
  | 'signature'
  | 'trust'
  | 'unsupported'

export class ProofError extends Error {
  readonly code: ProofErrorCode
  /** Which server's answer it is, where there are several. */
  server: string | null = null

  constructor(code: ProofErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'ProofError'
    this.code = code
  }
}

/** Throws unless what must hold does. */
export function demand(holds: boolean, code: ProofErrorCode, text: string): asserts holds {
  if (!holds) throw new ProofError(code, text)
}
