// The accounts of the demo, and how each of them signs the messages of the script.

import { beginCell, type Cell, writeBoc } from '../cell/index.ts'
import {
  type AccountId,
  CONFIG_ACCOUNT,
  configOwnerKey,
  configRequest,
  configSeqno,
  createFaucet,
  createSigner,
  faucetAccount,
  outgoingMessage,
  USUAL_MODE,
  type WellKnownAccount,
  walletAccounts,
  walletRequest,
  walletSeqno,
} from '../devchain/index.ts'
import type { Act, Cast } from './script.ts'

/** Seconds a message stays valid. */
const VALID = 600

export function createCast(globalId: number): Cast {
  const wallets = walletAccounts(globalId)
  return {
    globalId,
    faucet: faucetAccount(),
    wallet(number) {
      const found = wallets[number - 1]
      if (found === undefined) throw new RangeError(`There is no wallet ${number}`)
      return found
    },
  }
}

/** The account whose message an act is. */
export function actorOf({ by }: Act): AccountId {
  if (by === 'config') return { workchain: -1, hash: CONFIG_ACCOUNT }
  return by === 'faucet' ? faucetAccount().address : by.address
}

export interface Circumstances {
  /** Of the actor; null when it is not deployed. */
  readonly data: Cell | null
  /** The chain's time. */
  readonly utime: number
}

/** The signed message of an act. Throws Error when the configuration contract is missing. */
export function messageOf(act: Act, { data, utime }: Circumstances): Uint8Array {
  const validUntil = utime + VALID
  if (act.by === 'faucet') return writeBoc(fromFaucet(act, utime))
  if (act.by === 'config') {
    if (data === null) throw new Error('There is no configuration contract')
    const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
    return writeBoc(configRequest({ change: act.change, seqno: configSeqno(data), validUntil, sign }))
  }
  return writeBoc(fromWallet(act.by, act, { data, validUntil }))
}

function fromWallet(
  wallet: WellKnownAccount,
  { sends, plugin }: Extract<Act, { by: WellKnownAccount }>,
  { data, validUntil }: { readonly data: Cell | null; readonly validUntil: number },
): Cell {
  const messages = sends.map((sending) => ({ mode: sending.mode ?? USUAL_MODE, message: outgoingMessage(sending) }))
  const seqno = data === null ? 0 : walletSeqno(wallet, data)
  const order = plugin === undefined ? {} : { plugin }
  return walletRequest(wallet, { seqno, deploys: data === null, validUntil, messages, ...order })
}

/** Its id is made of what it pays and when: the same script signs the same request. */
function fromFaucet({ sends }: Extract<Act, { by: 'faucet' }>, utime: number): Cell {
  const content = beginCell().storeUint(utime, 32)
  let all = content.end()
  for (const sending of sends) all = beginCell().storeRef(all).storeRef(outgoingMessage(sending)).end()
  const payouts = sends.map(({ to, value, body }) => ({ to, amount: value, ...(body === undefined ? {} : { body }) }))
  const faucet = createFaucet({ now: () => utime })
  return faucet.request(payouts, Buffer.from(all.hashBytes()).readBigUInt64BE())
}
