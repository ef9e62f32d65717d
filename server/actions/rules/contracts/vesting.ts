// Wallets whose TON is locked for a while, and that may send it to some accounts before.

import { vesting } from '../../../bodies/index.ts'
import { openCell, orNull, type Slice } from '../../../cell/index.ts'
import { loadRelaxedMessage } from '../../../tlb/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { addressText, fieldsOf, plainCellText, readAddress, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'

interface VestingSend {
  readonly queryId: bigint
  readonly message: string
  readonly source: string | null
  readonly vesting: string | null
  readonly destination: string | null
  readonly amount: bigint | null
}

const VESTING_SEND = new Kind<VestingSend>({
  type: 'vesting_send_message',
  describe: ({ queryId, message, source, vesting, destination, amount }) => ({
    roles: { source, destination: vesting, destinationSecondary: destination },
    details: {
      query_id: digits(queryId),
      message_boc: message,
      source,
      vesting,
      destination,
      amount: digits(amount),
    },
  }),
})

const readSend = fieldsOf(vesting.sendMessage, 'queryId', 'message')

function sendOf(request: ActionBlock): Pick<VestingSend, 'queryId' | 'message' | 'destination' | 'amount'> | null {
  const fields = readBody(request, readSend)
  if (fields === null) return null
  const { queryId, message } = fields
  const info = orNull(() => loadRelaxedMessage(openCell(message)).info)
  const [destination, amount] = info?.kind === 'internal' ? [addressText(info.dest), info.value.grams] : [null, null]
  return { queryId, message: plainCellText(message), destination, amount }
}

/**
 * Invariant: the vesting wallet answers a request to send. The amount is the amount sent to the requested account; when no
 * message was sent to it, the action has failed and shows the requested amount.
 */
export const vestingSend: Rule = {
  name: 'contracts/vestingSend',
  begins: isCall(vesting.sendMessage.opcode),
  match(request) {
    const answer = request.next.find(isCall(vesting.sendMessageResponse.opcode))
    const fields = answer === undefined ? null : sendOf(request)
    if (answer === undefined || fields === null) return null
    const sent = request.next.find((next) => next !== answer && next.first.message?.destination === fields.destination)
    // Another amount than what was ordered where fees are taken from it, or all of the balance is sent.
    const amount = sent === undefined ? fields.amount : (sent.first.message?.value ?? null)
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    return {
      blocks: new Set([request, answer]),
      content: VESTING_SEND.content({ source, vesting: destination, ...fields, amount }),
      failed: request.failed || sent === undefined,
    }
  },
}

interface WhitelistAddition {
  readonly queryId: bigint
  readonly added: readonly string[]
  readonly source: string | null
  readonly vesting: string | null
}

const VESTING_WHITELIST = new Kind<WhitelistAddition>({
  type: 'vesting_add_whitelist',
  describe: ({ queryId, added, source, vesting }) => ({
    roles: { source, destination: vesting },
    details: { query_id: digits(queryId), accounts_added: added, source, vesting },
  }),
})

const MOST_ADDRESSES = 1024

const readAddition = fieldsOf(vesting.addWhitelist)

/** An address in each cell of a chain. */
function addressesIn(first: Slice): string[] {
  const added: string[] = []
  for (let at: Slice | null = first; at !== null && added.length < MOST_ADDRESSES; ) {
    const address = readAddress(at)
    if (address !== null) added.push(address)
    at = at.remainingRefs === 0 ? null : openCell(at.loadRef())
  }
  return added
}

/** Invariant: the wallet answers an order to add accounts. */
export const vestingWhitelist: Rule = {
  name: 'contracts/vestingWhitelist',
  begins: isCall(vesting.addWhitelist.opcode),
  match(request) {
    const answer = request.next.find(isCall(vesting.addWhitelistResponse.opcode))
    const fields = answer === undefined ? null : readBody(request, readAddition)
    const added = fields === null ? null : orNull(() => addressesIn(fields.addresses))
    if (answer === undefined || fields === null || added === null) return null
    const { source = null, destination = null } = envelopeOf(request) ?? {}
    const content = VESTING_WHITELIST.content({ source, vesting: destination, queryId: fields.queryId, added })
    return { blocks: new Set([request, answer]), content, failed: request.failed }
  },
}
