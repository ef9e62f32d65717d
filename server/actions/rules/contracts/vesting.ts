// Wallets whose TON is locked for a while, and that may send it to some accounts before.

import { openCell, type Slice } from '../../../cell/index.ts'
import { loadRelaxedMessage, orNull } from '../../../tlb/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { addressText, plainCellText, readAddress, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'

const SEND = 0xa7733acd
const SENT = 0xf7733acd
const ADD_WHITELIST = 0x7258a69b
const ADDED = 0xf258a69b

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

/** Behind the operation. */
function readSend(body: Slice): Pick<VestingSend, 'queryId' | 'message' | 'destination' | 'amount'> {
  const queryId = body.loadUintBig(64)
  const message = body.skip(8).loadRef()
  const info = orNull(() => loadRelaxedMessage(openCell(message)).info)
  const inner = info?.kind === 'internal' ? info : null
  return {
    queryId,
    message: plainCellText(message),
    destination: inner === null ? null : addressText(inner.dest),
    amount: inner?.value.grams ?? null,
  }
}

export const vestingSend: Rule = {
  name: 'contracts/vestingSend',
  begins: isCall(SEND),
  match(request) {
    const answer = request.next.find(isCall(SENT))
    const fields = readBody(request, readSend)
    if (answer === undefined || fields === null) return null
    const { source = null, destination: vesting = null } = envelopeOf(request) ?? {}
    return {
      blocks: new Set([request, answer]),
      content: VESTING_SEND.content({ source, vesting, ...fields }),
      failed: request.failed,
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

/** Behind the operation: an address in each cell of a chain. */
function readAddition(body: Slice): Pick<WhitelistAddition, 'queryId' | 'added'> {
  const queryId = body.loadUintBig(64)
  const added: string[] = []
  for (let at: Slice | null = body; at !== null && added.length < MOST_ADDRESSES; ) {
    const address = readAddress(at)
    if (address !== null) added.push(address)
    at = at.remainingRefs === 0 ? null : openCell(at.loadRef())
  }
  return { queryId, added }
}

export const vestingWhitelist: Rule = {
  name: 'contracts/vestingWhitelist',
  begins: isCall(ADD_WHITELIST),
  match(request) {
    const answer = request.next.find(isCall(ADDED))
    const fields = readBody(request, readAddition)
    if (answer === undefined || fields === null) return null
    const { source = null, destination: vesting = null } = envelopeOf(request) ?? {}
    const content = VESTING_WHITELIST.content({ source, vesting, ...fields })
    return { blocks: new Set([request, answer]), content, failed: request.failed }
  },
}
