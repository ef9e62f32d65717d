// Requests of owners of clients and proxies of Cocoon to their contracts.

import type { Slice } from '../../../cell/index.ts'
import type { Details } from '../../action.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { hexOf, readBody } from '../../reading.ts'
import type { Picked, Rule } from '../../rule.ts'
import {
  CLIENT_REQUEST,
  destinationOf,
  EXCESSES,
  isAnswered,
  PAYOUT,
  pickChain,
  pickedCall,
  readQueryId,
} from './messages.ts'

interface Asked {
  readonly source: string | null
  readonly contract: string | null
  /** The proxy that was called. */
  readonly proxy: string | null
  readonly queryId: bigint
  /** What else the request says. */
  readonly more: Details
}

interface Request {
  readonly type: string
  readonly opcode: number
  /** What the contract does when it accepts the request. */
  readonly isDone: (start: Block) => boolean
  /** Behind the query's number. */
  readonly read: (body: Slice) => Details
  /** Known only from what follows. */
  readonly readFollowing?: (start: Block, picked: Picked) => Details
  /** Whether the caller is missing from it. */
  readonly hidesSource?: boolean
  /** The block that may have caused the call, and is then part of it. */
  readonly by?: number
}

function requestRule({ type, opcode, isDone, read, readFollowing, hidesSource = false, by }: Request): Rule {
  const kind = new Kind<Asked>({
    type,
    describe: ({ source, contract, proxy, queryId, more }) => ({
      roles: { source, destination: contract, destinationSecondary: proxy },
      details: {
        query_id: digits(queryId),
        ...more,
        ...(!hidesSource && { source }),
        destination: contract,
      },
    }),
  })
  return {
    name: `cocoon/${type}`,
    begins: isCall(opcode),
    match(start) {
      const requested = readBody(start, (body) => ({ queryId: readQueryId(body), more: read(body) }))
      const from = envelopeOf(start)
      if (requested === null || from === undefined || !isDone(start)) return null
      const picked = pickChain(start, CLIENT_REQUEST, PAYOUT)
      if (by !== undefined) picked.previous(start, isCall(by))
      const content = kind.content({
        queryId: requested.queryId,
        more: { ...requested.more, ...readFollowing?.(start, picked) },
        source: from.source,
        contract: from.destination,
        proxy: destinationOf(pickedCall(picked, CLIENT_REQUEST)),
      })
      return { blocks: picked.blocks, content, failed: start.failed }
    },
  }
}

const NOTHING = (): Details => ({})

const paidOut = (_: Block, picked: Picked): Details => {
  const amount = digits(envelopeOf(pickedCall(picked, PAYOUT))?.value)
  return { withdraw_amount: amount, amount }
}

/** The contract sends back what is left. */
const returnsExcess = (start: Block): boolean => isAnswered(start, EXCESSES)

/** The client passes the request on to its proxy, too. */
const passesOn = (start: Block): boolean => isAnswered(start, EXCESSES, CLIENT_REQUEST)

/** The proxy that the client passes the request on to answers. */
const proxyAnswers =
  (answer: number) =>
  (start: Block): boolean =>
    start.next.some((next) => isCall(CLIENT_REQUEST)(next) && isAnswered(next, answer))

/** Requested by the owner's wallet. */
const VIA_WALLET = 0x9c69f376

export const COCOON_REQUESTS: readonly Rule[] = [
  requestRule({
    type: 'cocoon_client_top_up',
    isDone: proxyAnswers(EXCESSES),
    opcode: 0xf172e6c2,
    read: (body) => ({ amount: digits(body.loadCoins()) }),
  }),
  requestRule({
    ...{ type: 'cocoon_register_proxy', opcode: 0x927c7cb5 },
    ...{ isDone: returnsExcess, read: NOTHING, hidesSource: true },
  }),
  requestRule({
    type: 'cocoon_unregister_proxy',
    isDone: returnsExcess,
    opcode: 0x6d49eaf2,
    read: (body) => ({ seqno: body.loadUint(32) }),
    hidesSource: true,
  }),
  requestRule({
    type: 'cocoon_client_register',
    isDone: passesOn,
    opcode: 0xc45f9f3b,
    read: (body) => ({ nonce: digits(body.loadUintBig(64)) }),
  }),
  requestRule({
    type: 'cocoon_client_change_secret_hash',
    isDone: passesOn,
    opcode: 0xa9357034,
    read: (body) => ({ new_secret_hash: hexOf(body.loadBytes(32)) }),
  }),
  requestRule({
    type: 'cocoon_client_request_refund',
    isDone: passesOn,
    opcode: 0xfafa6cc1,
    read: NOTHING,
    by: VIA_WALLET,
    readFollowing: ({ previous }) => ({ via_wallet: previous !== null && isCall(VIA_WALLET)(previous) }),
  }),
  requestRule({
    type: 'cocoon_client_increase_stake',
    isDone: passesOn,
    opcode: 0x6a1f6a60,
    read: (body) => {
      const stake = digits(body.loadCoins())
      return { new_stake: stake, amount: stake }
    },
  }),
  requestRule({
    ...{ type: 'cocoon_client_withdraw', opcode: 0xda068e78 },
    ...{ isDone: proxyAnswers(PAYOUT), read: NOTHING, readFollowing: paidOut },
  }),
]
