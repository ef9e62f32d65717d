// The verifier's error: why an answer is rejected.

/**
 * - `malformed`: bytes that are no proof, or one pruned where it must not be.
 * - `answer`: an answer to another query.
 * - `missing`: the answer comes without the proof it needs.
 * - `hash`: a tree or a file does not have the hash it was named by.
 * - `block`, `state`, `shard`, `account`, `transaction`, `list`, `config`, `library`, `queue`: the proof contradicts the
 *   answer about it.
 * - `link`: a step between two blocks that does not end at its target.
 * - `validators`, `signature`: signed by other validators than the right ones, or not signed.
 * - `trust`: the chain as a whole is rejected: another network's, too old, or ahead of the clock.
 * - `unsupported`: a form of proof that this verifier cannot check.
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
  /** The server that sent the answer, where there are several. */
  server: string | null = null
  /** The request, where another caller waits for the answer too. */
  verb: string | null = null

  constructor(code: ProofErrorCode, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'ProofError'
    this.code = code
  }
}

/** Throws ProofError unless the condition holds. */
export function demand(holds: boolean, code: ProofErrorCode, text: string): asserts holds {
  if (!holds) throw new ProofError(code, text)
}
