// Requests of owners of clients and proxies of Cocoon to their contracts.

import { type BodyDefinition, cocoon } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import type { ClassifiedDetails } from '../../action.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { carries, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, hexOfBytes, readBody } from '../../reading.ts'
import type { Picked, Rule } from '../../rule.ts'
import { CLIENT_REQUEST, EXCESSES, isAnswered, isUnpaid, PAYOUT, pickChain, pickedCall } from './messages.ts'

interface ClientRequest {
  readonly source: string | null
  readonly contract: string | null
  /** The proxy that was called. */
  readonly proxy: string | null
  readonly queryId: bigint
  /** What else the request says. */
  readonly more: ClassifiedDetails
}

interface Request {
  readonly type: string
  /** All begin with the query's number. */
  readonly body: BodyDefinition
  /** What the contract does when it accepts the request. */
  readonly isDone: (start: ActionBlock) => boolean
  /** What else the request says. */
  readonly read: (body: Slice) => ClassifiedDetails
  /** What is said to be paid in. */
  readonly readPaid?: (body: Slice) => bigint
  /** Known only from what follows. */
  readonly readFollowing?: (start: ActionBlock, picked: Picked) => ClassifiedDetails
  /** Whether the caller is missing from it. */
  readonly hidesSource?: boolean
  /** The block that may have caused the call, and is then part of it. */
  readonly by?: number
}

function requestRule({
  type,
  body: { opcode },
  isDone,
  read,
  readPaid,
  readFollowing,
  hidesSource = false,
  by,
}: Request): Rule {
  const kind = new Kind<ClientRequest>({
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
      const from = envelopeOf(start)
      if (from === undefined || !isDone(start)) return null
      const requested = readBody(start, (body) => ({ queryId: readQuery(body.clone()).queryId, more: read(body) }))
      if (requested === null) return null
      if (readPaid !== undefined && !carries(start, readBody(start, readPaid))) return null
      const picked = pickChain(start, CLIENT_REQUEST, PAYOUT)
      if (by !== undefined) picked.previous(start, isCall(by))
      const content = kind.content({
        queryId: requested.queryId,
        more: { ...requested.more, ...readFollowing?.(start, picked) },
        source: from.source,
        contract: from.destination,
        proxy: destinationOf(pickedCall(picked, CLIENT_REQUEST)),
      })
      // A proxy that closes pays back what was paid in.
      const isPaidBack = readPaid !== undefined && pickedCall(picked, PAYOUT) !== undefined
      return { blocks: picked.blocks, content, failed: start.failed || isUnpaid(picked) || isPaidBack }
    },
  }
}

const readQuery = fieldsOf(cocoon.clientWithdraw)

const NOTHING = (): ClassifiedDetails => ({})

const paidOut = (_: ActionBlock, picked: Picked): ClassifiedDetails => {
  const amount = digits(envelopeOf(pickedCall(picked, PAYOUT))?.value)
  return { withdraw_amount: amount, amount }
}

/** The contract sends back what is left. */
const returnsExcess = (start: ActionBlock): boolean => isAnswered(start, EXCESSES)

/** The client passes the request on to its proxy, too. */
const passesOn = (start: ActionBlock): boolean => isAnswered(start, EXCESSES, CLIENT_REQUEST)

/** The proxy that the client passes the request on to answers. */
const proxyAnswers =
  (answer: number) =>
  (start: ActionBlock): boolean =>
    start.next.some((next) => isCall(CLIENT_REQUEST)(next) && isAnswered(next, answer))

const proxyPays = proxyAnswers(PAYOUT)

/** Requested by the owner's wallet. */
const VIA_WALLET = cocoon.viaWallet.opcode

const readTopUp = fieldsOf(cocoon.clientTopUp, 'amount')
const readSeqno = fieldsOf(cocoon.unregisterProxy, 'seqno')
const readNonce = fieldsOf(cocoon.clientRegister, 'nonce')
const readSecret = fieldsOf(cocoon.clientChangeSecretHash, 'secretHash')
const readStake = fieldsOf(cocoon.clientIncreaseStake, 'stake')

/**
 * Invariant: an owner's request, and all that its contract sends once it accepts one: what is left over, the request
 * passed on, or the proxy's answer.
 */
export const COCOON_REQUESTS: readonly Rule[] = [
  requestRule({
    type: 'cocoon_client_top_up',
    isDone: proxyAnswers(EXCESSES),
    body: cocoon.clientTopUp,
    read: (body) => ({ amount: digits(readTopUp(body).amount) }),
    readPaid: (body) => readTopUp(body).amount,
  }),
  requestRule({
    type: 'cocoon_register_proxy',
    body: cocoon.registerProxy,
    isDone: returnsExcess,
    read: NOTHING,
    hidesSource: true,
  }),
  requestRule({
    type: 'cocoon_unregister_proxy',
    isDone: returnsExcess,
    body: cocoon.unregisterProxy,
    read: (body) => ({ seqno: readSeqno(body).seqno }),
    hidesSource: true,
  }),
  requestRule({
    type: 'cocoon_client_register',
    isDone: passesOn,
    body: cocoon.clientRegister,
    read: (body) => ({ nonce: digits(readNonce(body).nonce) }),
  }),
  requestRule({
    type: 'cocoon_client_change_secret_hash',
    isDone: passesOn,
    body: cocoon.clientChangeSecretHash,
    read: (body) => ({ new_secret_hash: hexOfBytes(readSecret(body).secretHash) }),
  }),
  requestRule({
    type: 'cocoon_client_request_refund',
    // What is above the stake is paid out at once.
    isDone: (start) => passesOn(start) || proxyPays(start),
    body: cocoon.clientRequestRefund,
    read: NOTHING,
    by: VIA_WALLET,
    readFollowing: ({ previous }) => ({ via_wallet: previous !== null && isCall(VIA_WALLET)(previous) }),
  }),
  requestRule({
    type: 'cocoon_client_increase_stake',
    isDone: passesOn,
    body: cocoon.clientIncreaseStake,
    read: (body) => {
      const stake = digits(readStake(body).stake)
      return { new_stake: stake, amount: stake }
    },
  }),
  requestRule({
    type: 'cocoon_client_withdraw',
    body: cocoon.clientWithdraw,
    isDone: proxyPays,
    read: NOTHING,
    readFollowing: paidOut,
  }),
]
