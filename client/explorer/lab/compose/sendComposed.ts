// Emulates a composed message, and sends it: in the name of any address, or signed by a test wallet. The lab loads this
// script when a person does one of them.

import { parseAddress, toRawUpper } from '../../../../shared/address.ts'
import { rawOf } from '../../../../shared/explorer/views.ts'
import type { Api } from '../../../index.ts'
import { bagOf } from '../../cell/build.ts'
import { chainState } from '../../live.ts'
import { client } from '../../pageClient.ts'
import { chainNow } from '../../parts/When.tsx'
import type { CallEffects } from '../Outcome.tsx'
import {
  type AccountPlace,
  externalMessage,
  type InternalMessage,
  internalMessage,
  signedOrder,
  unsignedOrder,
} from './composedMessage.ts'
import type { Sender, TestWallet } from './senders.ts'
import { signatureOf } from './sign.ts'

export type Emulated = Api['emulate.trace']['result']

const LIFETIME_S = 300

/** The message from outside that makes a wallet send another, base64. */
async function signed(wallet: TestWallet, message: InternalMessage, at: AccountPlace): Promise<string> {
  const { seqno, account_state: state } = await client.getWalletInformation({ address: wallet.address })
  if (state !== 'active') throw new Error(`${wallet.name} is not deployed: send from any address, without a signature.`)
  const order = unsignedOrder({
    kind: wallet.kind,
    walletId: wallet.walletId ?? 0,
    seqno: seqno ?? 0,
    // The wallet compares with the clock of the chain, which can be ahead of this computer's.
    validUntil: chainNow() + LIFETIME_S,
    message: internalMessage({ ...message, from: null }),
  })
  const signature = await signatureOf(order, wallet.mnemonic)
  return bagOf(externalMessage(at, signedOrder(wallet.kind, order, signature)))
}

function placeOf({ address, name }: TestWallet): AccountPlace {
  const place = parseAddress(address)
  if (place === null) throw new Error(`The address of ${name} cannot be read.`)
  return place
}

const bocOf = async (sender: Sender, message: Omit<InternalMessage, 'from'>): Promise<string> =>
  'wallet' in sender
    ? signed(sender.wallet, { ...message, from: null }, placeOf(sender.wallet))
    : bagOf(internalMessage({ ...message, from: sender.from }))

export async function emulate(sender: Sender, message: Omit<InternalMessage, 'from'>): Promise<Emulated> {
  const boc = await bocOf(sender, message)
  const sides = { include_address_book: true, include_metadata: true, include_balance_changes: true }
  return client.emulate.trace({ boc, with_actions: true, ...sides })
}

/** Whether a message of this wallet waits for a block: a wallet accepts one message for each sequence number. */
async function isWaiting({ address }: TestWallet): Promise<boolean> {
  try {
    const { transactions } = await client.v3.pendingTransactions({ account: [address] })
    return transactions.some(({ account, in_msg: message }) => account === rawOf(address) && message?.source === null)
  } catch {
    // None is pending, or nothing is indexed.
    return false
  }
}

/** One message at a time, over all tabs: each needs the sequence number after the last one. */
const inTurn = <T>({ name }: TestWallet, run: () => Promise<T>): Promise<T> =>
  // Browsers have no `navigator.locks` over plain http.
  navigator.locks?.request(`send from ${name}`, run) ?? run()

const PAUSE_MS = 500
const MOST_PAUSES = 20

async function sendSigned(wallet: TestWallet, message: InternalMessage): Promise<{ readonly message: string }> {
  // When blocks are made automatically, the next one comes soon.
  for (let pauses = chainState.value?.mining === 'manual' ? MOST_PAUSES : 0; await isWaiting(wallet); pauses++) {
    if (pauses < MOST_PAUSES) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    else
      throw new Error(`${wallet.name} has sent a message that no block has yet: send this one when a block has that.`)
  }
  const { hash_norm: hash } = await client.sendBocReturnHash({ boc: await signed(wallet, message, placeOf(wallet)) })
  return { message: hash }
}

/** What was started; of a wallet the hash of its message, by which the trace is found. */
export async function sendComposed(
  sender: Sender,
  message: Omit<InternalMessage, 'from'>,
): Promise<CallEffects | { readonly message: string }> {
  if ('wallet' in sender) {
    const { wallet } = sender
    return inTurn(wallet, () => sendSigned(wallet, { ...message, from: null }))
  }
  const { to, value, bounce, body, init } = message
  return client.dev.sendInternal({
    from: toRawUpper(sender.from),
    to: toRawUpper(to),
    value: `${value}`,
    bounce,
    ...(body.bits + body.refs.length === 0 ? {} : { body: bagOf(body) }),
    ...(init === null ? {} : { init: bagOf(init) }),
  })
}
