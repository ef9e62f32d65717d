// Validators give their stake to the elector, and take it back.

import { elector } from '../../../bodies/index.ts'
import { wellKnownAccounts } from '../../../interfaces/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { cameBack, destinationOf, envelopeOf, isCall, sentNothing } from '../../base.ts'
import { digits, omitNulls } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const ELECTOR = wellKnownAccounts.elector.id

interface Election {
  readonly holder: string | null
  readonly amount: bigint | null
}

interface Flow {
  readonly type: string
  readonly request: number
  readonly answer: number
  /** Whether the stake is in the answer, not in the request. */
  readonly isPaidBack: boolean
}

const readOffer = fieldsOf(elector.newStake, 'queryId', 'signature')

/** The elector confirms no stake that has no query id. What it refuses goes back, and what it cannot read bounces. */
const isTakenSilently = (request: ActionBlock): boolean =>
  !request.failed && sentNothing(request) && readBody(request, readOffer)?.queryId === 0n

function electionRule({ type, request: requested, answer: answered, isPaidBack }: Flow): Rule {
  const kind = new Kind<Election>({
    type,
    describe: ({ holder, amount }) => ({
      roles: { source: holder, destination: ELECTOR },
      details: { stake_holder: holder, ...omitNulls({ amount: digits(amount) }) },
    }),
  })
  return {
    name: `contracts/elections ${type}`,
    begins: isCall(requested),
    match(request) {
      const envelope = envelopeOf(request)
      if (envelope?.destination !== ELECTOR) return null
      const picked = new Picked(request)
      const isAnswer = isCall(answered)
      const answer = picked.next(request, (next) => isAnswer(next) && destinationOf(next) === envelope.source)
      const amount = (isPaidBack ? envelopeOf(answer) : envelope)?.value ?? null
      const content = kind.content({ holder: envelope.source, amount })
      const isDone = answer === null ? isTakenSilently(request) : !(isPaidBack && cameBack(answer))
      return { blocks: picked.blocks, content, failed: !isDone }
    },
  }
}

/** Invariant: the elector takes a stake; the amount is what the message brought. */
export const electionDeposit = electionRule({
  type: 'election_deposit',
  request: elector.newStake.opcode,
  answer: elector.newStakeConfirmation.opcode,
  isPaidBack: false,
})

/** Invariant: the elector answers a request to recover a stake; the amount is what the answer brought. */
export const electionRecover = electionRule({
  type: 'election_recover',
  request: elector.recoverStake.opcode,
  answer: elector.recoverStakeResponse.opcode,
  isPaidBack: true,
})
