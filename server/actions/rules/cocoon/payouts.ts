// Workers and proxies of Cocoon are paid.

import { cocoon } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import type { Rule } from '../../rule.ts'
import { CLIENT_REQUEST, EXCESSES, isAnswered, isUnpaid, PAYOUT, pickChain, pickedCall, readOrder } from './messages.ts'

interface WorkerPayout {
  readonly isLast: boolean
  readonly queryId: bigint
  readonly newTokens: bigint
  readonly state: number
  readonly tokens: bigint
  readonly source: string | null
  readonly worker: string | null
  readonly destination: string | null
  readonly amount: bigint | null
}

const COCOON_WORKER_PAYOUT = new Kind<WorkerPayout>({
  type: 'cocoon_worker_payout',
  describe: (payout) => ({
    roles: { source: payout.source, sourceSecondary: payout.worker, destination: payout.destination },
    details: {
      payout_type: payout.isLast ? 'last' : 'regular',
      query_id: digits(payout.queryId),
      new_tokens: digits(payout.newTokens),
      worker_state: payout.state,
      worker_tokens: digits(payout.tokens),
      source: payout.source,
      destination: payout.destination,
      amount: digits(payout.amount),
    },
  }),
})

const readWorkerRequest = fieldsOf(cocoon.workerRequest, 'state', 'tokens')
const readPayout = fieldsOf(cocoon.proxyPayout)
const readSigned = fieldsOf(cocoon.charge)

/** All signed orders have one layout. */
const orderOf = (block: ActionBlock) => readBody(block, (body) => readOrder(readSigned(body)))

/**
 * Invariant: a worker's contract, given a signed order, requests the payment of its proxy's contract, which pays;
 * the amount is what it sent.
 */
export const cocoonWorkerPayout: Rule = {
  name: 'cocoon/workerPayout',
  begins: isCall(cocoon.workerPayout.opcode, cocoon.workerLastPayout.opcode),
  match(start) {
    const picked = pickChain(start, cocoon.workerRequest.opcode, PAYOUT)
    const request = pickedCall(picked, cocoon.workerRequest.opcode)
    const from = envelopeOf(start)
    const payout = pickedCall(picked, PAYOUT)
    if (request === undefined || from === undefined || payout === undefined) return null
    const order = orderOf(start)
    const said = readBody(request, readWorkerRequest)
    if (order === null || said === null) return null
    const content = COCOON_WORKER_PAYOUT.content({
      isLast: isCall(cocoon.workerLastPayout.opcode)(start),
      source: from.source,
      worker: from.destination,
      destination: destinationOf(payout),
      amount: envelopeOf(payout)?.value ?? null,
      queryId: order.queryId,
      newTokens: order.tokens,
      ...said,
    })
    return { blocks: picked.blocks, content, failed: start.failed || isUnpaid(picked) }
  },
}

interface ProxyPayout {
  readonly queryId: bigint
  /** The proxy's contract, which pays. */
  readonly source: string | null
  /** The wallet that ordered it. */
  readonly orderedBy: string | null
  readonly destination: string | null
}

const COCOON_PROXY_PAYOUT = new Kind<ProxyPayout>({
  type: 'cocoon_proxy_payout',
  describe: ({ queryId, source, orderedBy, destination }) => ({
    roles: { source, destination, destinationSecondary: orderedBy },
    details: { query_id: digits(queryId), source, destination },
  }),
})

/** Invariant: a proxy's contract, ordered to pay out, sends the payment and returns what is left over. */
export const cocoonProxyPayout: Rule = {
  name: 'cocoon/proxyPayout',
  begins: isCall(cocoon.proxyPayout.opcode),
  match(start) {
    const queryId = readBody(start, readPayout)?.queryId
    const from = envelopeOf(start)
    if (queryId === undefined || from === undefined || !isAnswered(start, PAYOUT, EXCESSES)) return null
    const picked = pickChain(start, PAYOUT)
    const payout = pickedCall(picked, PAYOUT)
    const content = COCOON_PROXY_PAYOUT.content({
      queryId,
      source: from.destination,
      orderedBy: from.source,
      destination: destinationOf(payout),
    })
    return { blocks: picked.blocks, content, failed: start.failed || isUnpaid(picked) }
  },
}

interface Charge {
  readonly queryId: bigint
  readonly tokens: bigint
  readonly expected: string | null
  /** The wallet that orders it. */
  readonly orderedBy: string | null
  readonly client: string | null
  readonly proxy: string | null
  /** Who is paid what is left. */
  readonly recipient: string | null
  readonly amount: bigint | null
}

const chargeDetails = ({ queryId, tokens, expected, client: source }: Charge, destination: string | null) => ({
  query_id: digits(queryId),
  new_tokens_used: digits(tokens),
  expected_address: expected,
  source,
  destination,
})

/** The client's contract pays the proxy's; the wallet of the proxy only orders it. */
const COCOON_PROXY_CHARGE = new Kind<Charge>({
  type: 'cocoon_proxy_charge',
  describe: (charge) => ({
    roles: { source: charge.client, destination: charge.proxy, destinationSecondary: charge.orderedBy },
    details: chargeDetails(charge, charge.proxy),
  }),
})

/** The proxy's contract pays the refund; the destination is the account that gets it. */
const COCOON_GRANT_REFUND = new Kind<Charge>({
  type: 'cocoon_grant_refund',
  describe: (charge) => ({
    roles: { source: charge.client, sourceSecondary: charge.proxy, destination: charge.recipient },
    details: { ...chargeDetails(charge, charge.recipient), amount: digits(charge.amount) },
  }),
})

/** A proxy's signed command that the client's contract checks: charge it, or return the rest. */
const chargeRule = (
  name: string,
  opcode: number,
  kind: Kind<Charge>,
  isDone: (start: ActionBlock) => boolean,
): Rule => ({
  name,
  begins: isCall(opcode),
  match(start) {
    const from = envelopeOf(start)
    const signed = isDone(start) ? orderOf(start) : null
    if (signed === null || from === undefined) return null
    const picked = pickChain(start, CLIENT_REQUEST, PAYOUT)
    const payout = envelopeOf(pickedCall(picked, PAYOUT))
    const content = kind.content({
      orderedBy: from.source,
      client: from.destination,
      proxy: destinationOf(pickedCall(picked, CLIENT_REQUEST)),
      recipient: payout?.destination ?? null,
      amount: payout?.value ?? null,
      ...signed,
    })
    return { blocks: picked.blocks, content, failed: start.failed || isUnpaid(picked) }
  },
})

/**
 * Invariant: a client's contract, given the proxy's signed order, passes the charge on to the proxy's contract and
 * returns what is left over.
 */
export const cocoonProxyCharge = chargeRule('cocoon/proxyCharge', cocoon.charge.opcode, COCOON_PROXY_CHARGE, (start) =>
  isAnswered(start, EXCESSES, CLIENT_REQUEST),
)
/**
 * Invariant: a client's contract, given the proxy's signed order, passes it on to the proxy's contract, which has
 * paid.
 */
export const cocoonGrantRefund = chargeRule(
  'cocoon/grantRefund',
  cocoon.grantRefund.opcode,
  COCOON_GRANT_REFUND,
  (start) => start.next.some((next) => isCall(CLIENT_REQUEST)(next) && isAnswered(next, PAYOUT, EXCESSES)),
)
