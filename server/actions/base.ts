// What plain blocks are, those that no rule has joined to others, and what rules ask of them.

import type { ActionBlock } from './actionBlock.ts'
import { Kind } from './actionKind.ts'
import type { Comment } from './comment.ts'
import { omitNulls } from './details.ts'
import { BOUNCE, ENCRYPTED_COMMENT, NEW_BOUNCE, TEXT_COMMENT } from './opcodes.ts'

/** Fields every message has, before its body is interpreted. */
export interface MessageHead {
  readonly opcode: number | null
  readonly source: string | null
  readonly destination: string | null
  readonly value: bigint | null
  readonly extraCurrencies: Readonly<Record<string, string>>
}

export const TON_TRANSFER = new Kind<MessageHead & { readonly comment: Comment }>({
  type: 'ton_transfer',
  describe: ({ source, destination, value, extraCurrencies, comment }) => ({
    roles: { source, destination },
    details: {
      source,
      destination,
      value: String(value ?? 0n),
      value_extra_currencies: extraCurrencies,
      comment: comment.text,
      encrypted: comment.isEncrypted,
    },
  }),
})

const shownOpcode = (opcode: number | null): string | null =>
  opcode === null ? null : `0x${opcode.toString(16).padStart(8, '0')}`

const headDetails = ({ opcode, source, destination, value }: MessageHead) => ({
  opcode: shownOpcode(opcode),
  source,
  destination,
  value: value === null ? null : String(value),
})

export const CALL = new Kind<MessageHead>({
  type: 'call_contract',
  describe: (head) => ({
    roles: { source: head.source, destination: head.destination },
    details: omitNulls({ ...headDetails(head), extra_currencies: head.extraCurrencies }),
  }),
})

export const DEPLOY = new Kind<MessageHead>({
  type: 'contract_deploy',
  describe: (head) => ({
    roles: { source: head.source, destination: head.destination },
    details: omitNulls(headDetails(head)),
  }),
})

/** Whether a message with this operation, or none, carries TON and at most a comment. */
export const isTransferOpcode = (opcode: number | null): boolean =>
  opcode === null || opcode === TEXT_COMMENT || opcode === ENCRYPTED_COMMENT

/** A call that carries nothing but its words: as an action of its own it counts as sent, whatever its receiver did. */
export function isOnlyWords(block: ActionBlock): boolean {
  const call = CALL.of(block)
  return call !== undefined && !call.value && !!call.opcode && Object.keys(call.extraCurrencies).length === 0
}

/** What the message of a plain block, one that no rule has joined to others, states. */
export const envelopeOf = (block: ActionBlock | null | undefined): MessageHead | undefined =>
  TON_TRANSFER.of(block) ?? CALL.of(block)

/** Who sent the message of a plain block. */
export const sourceOf = (block: ActionBlock | null | undefined): string | null => envelopeOf(block)?.source ?? null

/** Who it was sent to. */
export const destinationOf = (block: ActionBlock | null | undefined): string | null =>
  envelopeOf(block)?.destination ?? null

/** Whether the message of a block brought this much TON: what a body says of it is a claim until then. */
export const carries = (block: ActionBlock | null, amount: bigint | null | undefined): boolean =>
  amount != null && (block?.first.message?.value ?? 0n) >= amount

/** Whether what a message brought went back: a receiver that fails without a bounce has the TON all the same. */
export const cameBack = (block: ActionBlock): boolean => block.failed && block.first.message?.bounce === true

/** Whether the receiver of a message sent nothing, whatever has arrived so far of what was sent. */
export const sentNothing = ({ first }: ActionBlock): boolean => first.transaction.outMessages.length === 0

/** A test that only calls of some operations pass. */
export interface CallTest {
  (block: ActionBlock): boolean
  readonly opcodes: readonly number[]
}

/** One for each operation: rules need them in every match. */
const callTests = new Map<number, CallTest>()

function callTest(opcode: number): CallTest {
  const test = Object.assign(({ callOpcode }: ActionBlock): boolean => callOpcode === opcode, { opcodes: [opcode] })
  callTests.set(opcode, test)
  return test
}

/** Whether a block is a call of one of these operations. */
export function isCall(...opcodes: readonly number[]): CallTest {
  const [only = -1] = opcodes
  if (opcodes.length === 1) return callTests.get(only) ?? callTest(only)
  return Object.assign(({ callOpcode }: ActionBlock): boolean => callOpcode !== null && opcodes.includes(callOpcode), {
    opcodes,
  })
}

/** Whether a block is a call that came back, in the old form or in the new one. */
export const isBounce = ({ callOpcode, first }: ActionBlock): boolean =>
  callOpcode === BOUNCE || (callOpcode === NEW_BOUNCE && first.message?.bounced === true)

/** Whether a block is a transfer with this comment. */
export const isComment =
  (...texts: readonly string[]) =>
  (block: ActionBlock): boolean => {
    const comment = TON_TRANSFER.of(block)?.comment
    return comment !== undefined && !comment.isEncrypted && comment.text !== null && texts.includes(comment.text)
  }

/** Whether one of these tests is passed. */
export const either =
  (...tests: readonly ((block: ActionBlock) => boolean)[]) =>
  (block: ActionBlock): boolean => {
    for (const test of tests) if (test(block)) return true
    return false
  }
