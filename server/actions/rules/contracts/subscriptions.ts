// Plugins of wallets that take a regular payment.

import { everyday } from '../../../bodies/index.ts'
import { Kind } from '../../actionKind.ts'
import { carries, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits, omitNulls } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

const { paymentRequest, paymentConfirmed, subscriptionPayment, pluginDestruct } = everyday

interface Subscription {
  readonly subscriber: string | null
  readonly beneficiary: string | null
  readonly subscription: string | null
  readonly amount: bigint | null
}

const kindOf = (type: string): Kind<Subscription> =>
  new Kind({
    type,
    describe: ({ subscriber, beneficiary, subscription, amount }) => ({
      roles: { source: subscriber, destination: beneficiary, destinationSecondary: subscription },
      details: {
        subscriber,
        ...omitNulls({ beneficiary }),
        subscription,
        ...omitNulls({ amount: digits(amount) }),
      },
    }),
  })

const SUBSCRIBE = kindOf('subscribe')
const UNSUBSCRIBE = kindOf('unsubscribe')

const readRequest = fieldsOf(paymentRequest, 'amount')

/** Invariant: a wallet pays its plugin, which passes the payment on; the amount is what was requested, if that was paid. */
export const subscribe: Rule = {
  name: 'contracts/subscribe',
  begins: isCall(paymentConfirmed.opcode),
  match(payment) {
    const picked = new Picked(payment)
    const paid = picked.next(payment, isCall(subscriptionPayment.opcode))
    const envelope = envelopeOf(payment)
    if (paid === null || envelope === undefined) return null
    const request = picked.previous(payment, isCall(paymentRequest.opcode))
    const requested = (request === null ? null : readBody(request, readRequest))?.amount.grams ?? null
    const content = SUBSCRIBE.content({
      subscriber: envelope.source,
      beneficiary: destinationOf(paid),
      subscription: envelope.destination,
      // Gas for the way comes on top of what was requested.
      amount: carries(payment, requested) ? requested : envelope.value,
    })
    return { blocks: picked.blocks, content, failed: payment.failed }
  },
}

/** Invariant: a plugin is called to destroy itself; the beneficiary is whom it says so to. */
export const unsubscribe: Rule = {
  name: 'contracts/unsubscribe',
  begins: isCall(pluginDestruct.opcode),
  match(request) {
    const picked = new Picked(request)
    const answer = picked.next(request, isCall(pluginDestruct.opcode))
    const envelope = envelopeOf(request)
    if (envelope === undefined) return null
    const content = UNSUBSCRIBE.content({
      subscriber: envelope.source,
      beneficiary: destinationOf(answer),
      subscription: envelope.destination,
      amount: null,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
