// Random but repeatable traffic: transfers, deploys, contracts that throw, accounts that are not there, the way to the
// masterchain and back, events, libraries.

import { beginCell, type Cell, hashToBytes, sha256 } from '../../../server/cell/index.ts'
import type { AccountName, AccountPatch, Devchain } from '../../../server/devchain/index.ts'
import { account, coins, madeWallet, type Transfer, transfer, type Wallet } from './wallets.ts'

/** `THROW 5`. */
export const throwing: Cell = beginCell().storeUint(0xf205, 16).end()
/** Accepts and does nothing. */
export const accepting: Cell = beginCell().storeUint(0xf800, 16).end()
/** NEWC, 0b010000, MYADDR, 111 zero bits, ENDC, 64, SENDRAWMSG: passes on what it gets to itself. */
export const looping: Cell = beginCell().storeBytes(Buffer.from('c8801001cb05f828cf167001cb6ec98040fb00', 'hex')).end()
/** `DROP LDREF 8 LDU DROP SETLIBCODE`: keeps libraries, as the message says. */
const keeping: Cell = beginCell().storeBytes(Buffer.from('30d4d30730fb06', 'hex')).end()
const keeper = account(0xa3, -1)

export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) / 2 ** 24
  }
}

export interface Scene {
  readonly wallets: readonly Wallet[]
  readonly throwers: readonly AccountName[]
}

const NO_DATA = beginCell().end()

/** Puts funded wallets on the chain, and contracts that throw on both sides. */
export async function prepare(
  chain: Devchain,
  count: number,
  onPatch: (patch: AccountPatch) => void = () => undefined,
): Promise<Scene> {
  const put = (patch: AccountPatch): Promise<void> => {
    onPatch(patch)
    return chain.control.setAccount(patch)
  }
  const wallets = Array.from({ length: count }, (_, number) => madeWallet(number))
  const throwers = [account(0xa1), account(0xa2, -1)]
  await Promise.all([
    ...wallets.map(({ address, code, data }) => put({ ...address, balance: coins(1000), code, data })),
    ...throwers.map((name) => put({ ...name, balance: coins(10), code: throwing, data: NO_DATA })),
    put({ ...keeper, balance: coins(10), code: keeping, data: NO_DATA }),
  ])
  return { wallets, throwers }
}

function deployment(number: number, workchain: number): Transfer {
  const data = beginCell().storeUint(number, 64).end()
  const id = beginCell().storeUint(0b00110, 5).storeRef(accepting).storeRef(data).end().hashBytes()
  return { to: { workchain, id }, value: coins(1), init: { code: accepting, data } }
}

/** Asks the keeper to publish one of a few libraries, or to withdraw it. */
function aboutLibrary(number: number): Transfer {
  const library = beginCell()
    .storeUint(number % 4, 64)
    .storeRef(NO_DATA)
    .end()
  const mode = number % 3 === 0 ? 0 : 2
  return { to: keeper, value: coins(1), body: beginCell().storeUint(mode, 8).storeRef(library).end() }
}

const someone = (text: string, workchain = 0): AccountName => ({
  workchain,
  id: hashToBytes(sha256(Buffer.from(text))),
})

export function someTransfer({ wallets, throwers }: Scene, next: () => number): Transfer {
  const wallet = wallets[Math.floor(next() * wallets.length)]
  const thrower = throwers[Math.floor(next() * throwers.length)]
  const value = coins(0.05 + next())
  const number = Math.floor(next() * 1e9)
  const kind = Math.floor(next() * 8)
  if (wallet === undefined || thrower === undefined) throw new Error('No such account')
  if (kind === 0) return { to: thrower, value, bounce: true, body: beginCell().storeUint(number, 64).end() }
  if (kind === 1) return { to: someone(`absent ${number}`), value, bounce: true }
  if (kind === 2) return { to: someone(`absent ${number}`, -1), value, bounce: next() < 0.5 }
  if (kind === 3) return deployment(number, next() < 0.5 ? 0 : -1)
  if (kind === 4) return aboutLibrary(number)
  if (kind === 5) return { to: wallet.address, value: coins(5000) }
  return { to: wallet.address, value }
}

/** Sends `count` messages in bursts and waits for each burst. */
export async function play(
  chain: Devchain,
  scene: Scene,
  { count, seed }: { count: number; seed: number },
): Promise<void> {
  const next = random(seed)
  for (let sent = 0; sent < count; ) {
    const burst: Promise<unknown>[] = []
    for (let size = 1 + Math.floor(next() * 12); size > 0 && sent < count; size--, sent++) {
      const wallet = scene.wallets[Math.floor(next() * scene.wallets.length)]
      if (wallet === undefined) continue
      const transfers = Array.from({ length: 1 + Math.floor(next() * 3) }, () => someTransfer(scene, next))
      burst.push(chain.send(transfer(wallet, ...transfers)))
    }
    await Promise.all(burst)
  }
}
