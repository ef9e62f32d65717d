// Runs of every kind, each fed with what the ones before left behind, so that two emulators can be compared.

import type { Contract, MessageRelaxed, Transaction } from '@ton/core'
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  internal as internalMessage,
  loadTransaction,
  storeMessage,
} from '@ton/core'
import type { KeyPair } from '@ton/crypto'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import * as lib from './contracts.ts'

export const now = 1_700_000_000
const startLt = 1_000_000n
const keys: KeyPair = keyPairFromSeed(Buffer.alloc(32, 7))

export interface Run {
  readonly shardAccount: Cell
  /** A message, or which of the two runs without one. */
  readonly message: Cell | 'tick' | 'tock'
  readonly lt: bigint
  readonly now: number
  readonly ignoreSignature: boolean
  readonly libs: Cell | null
}

/** Parts two emulators must agree on, whatever they are made of. */
export interface Outcome {
  readonly accepted: boolean
  readonly transaction?: string
  readonly shardAccount?: string
  readonly actions?: string | null
  readonly exitCode?: number | null
  readonly reason?: string
  readonly vmLog?: string
}

export type Runner = (run: Run) => Promise<Outcome>

interface Case extends Partial<Omit<Run, 'shardAccount' | 'message'>> {
  readonly account: Cell
  readonly message: Run['message']
}

const { code, alice, special } = lib
const account = (of: Cell, data?: Cell) => lib.shardAccount({ code: of, ...(data === undefined ? {} : { data }) })
const outgoing = (message: MessageRelaxed) => beginCell().storeUint(0, 32).storeRef(relaxed(message)).endCell()

function relaxed(message: MessageRelaxed): Cell {
  const { body, info } = message
  if (info.type !== 'internal' || !(info.dest instanceof Address))
    throw new Error('Only internal messages are sent here')
  // src none, filled in by the emulator
  return beginCell()
    .storeUint(0x18, 6)
    .storeAddress(info.dest)
    .storeCoins(info.value.coins)
    .storeUint(0, 1 + 4 + 4 + 64 + 32)
    .storeBit(false)
    .storeBit(true)
    .storeRef(body)
    .endCell()
}

const toBob = (value: bigint) => internalMessage({ to: lib.bob, value, body: Cell.EMPTY })
const deployed = { code: code.accepting, data: Cell.EMPTY }
const deployedAt = contractAddress(0, deployed)

const single: Readonly<Record<string, Case>> = {
  'internal to a silent contract': { account: account(code.silent), message: lib.internal({}) },
  'internal to an uninitialised account': { account: lib.shardAccount({}), message: lib.internal({ bounce: false }) },
  'bounce off an uninitialised account': { account: lib.shardAccount({}), message: lib.internal({}) },
  'to an account that does not exist': { account: lib.noAccount, message: lib.internal({ bounce: false }) },
  'bounce off an account that does not exist': { account: lib.noAccount, message: lib.internal({}) },
  'contract throws, bounces': { account: account(code.throwing), message: lib.internal({}) },
  'contract throws, must not bounce': { account: account(code.throwing), message: lib.internal({ bounce: false }) },
  'bounced message arrives': { account: account(code.silent), message: lib.internal({ bounced: true, bounce: false }) },
  'type error': { account: account(lib.assemble('FF00 6DD0')), message: lib.internal({}) },
  'stack underflow': { account: account(lib.assemble('FF00 30303030303030')), message: lib.internal({}) },
  'integer overflow': { account: account(lib.assemble('FF00 7F85FF A8')), message: lib.internal({}) },
  'cell underflow': { account: account(lib.assemble('FF00 ED44D0 D31F')), message: lib.internal({}) },
  'unknown instruction': { account: account(lib.assemble('FF00 FEFF FF')), message: lib.internal({}) },
  'tuples nested deep': { account: account(lib.nestedTuple(5000)), message: lib.internal({}) },
  'exceptions caught in a loop': { account: account(code.catching), message: lib.internal({}) },
  'too little for any gas': { account: account(code.silent), message: lib.internal({ value: 100n }) },
  'runs out of gas': { account: account(code.endless), message: lib.internal({ value: 50_000_000n }) },
  'runs out of the most gas there is': { account: account(code.endless), message: lib.internal({}) },
  'sends a message': { account: account(code.sender, outgoing(toBob(1000n))), message: lib.internal({}) },
  'sends more than it has': { account: account(code.sender, outgoing(toBob(10n ** 17n))), message: lib.internal({}) },
  'action list of nonsense': {
    account: account(code.sender, beginCell().storeUint(0, 32).storeRef(Cell.EMPTY).endCell()),
    message: lib.internal({}),
  },
  'replaces its code': { account: account(code.selfReplacing, code.throwing), message: lib.internal({}) },
  'deployed by an internal message': {
    account: lib.noAccount,
    message: lib.internal({ to: deployedAt, init: deployed }),
  },
  'deployed with the wrong state': { account: lib.noAccount, message: lib.internal({ to: alice, init: deployed }) },
  'deployed by an external message': {
    account: lib.shardAccount({ address: deployedAt }),
    message: lib.external(deployedAt, Cell.EMPTY, deployed),
  },
  'external accepted': { account: account(code.accepting), message: lib.external(alice, Cell.EMPTY) },
  'external accepted, then thrown': {
    account: account(code.acceptingThrowing),
    message: lib.external(alice, Cell.EMPTY),
  },
  'external not accepted': { account: account(code.silent), message: lib.external(alice, Cell.EMPTY) },
  'external thrown before accepting': { account: account(code.throwing), message: lib.external(alice, Cell.EMPTY) },
  'external to an absent account': { account: lib.noAccount, message: lib.external(alice, Cell.EMPTY) },
  'external to a poor account': {
    account: lib.shardAccount({ code: code.accepting, balance: 10n }),
    message: lib.external(alice, Cell.EMPTY),
  },
  'tick on a special account': {
    account: lib.shardAccount({ address: special, code: code.accepting, tickTock: true }),
    message: 'tick',
  },
  'tock that throws': {
    account: lib.shardAccount({ address: special, code: code.throwing, tickTock: true }),
    message: 'tock',
  },
  'tick on an ordinary account': { account: account(code.silent), message: 'tick' },
  'code in a library': {
    account: account(lib.libraryCell(code.throwing)),
    message: lib.internal({}),
    libs: lib.publicLibrary(code.throwing),
  },
  'code in an unknown library': { account: account(lib.libraryCell(code.throwing)), message: lib.internal({}) },
  'storage debt': {
    account: lib.shardAccount({ code: code.silent, balance: 5n, lastPaid: now - 300_000_000 }),
    message: lib.internal({ value: 10n, bounce: false }),
  },
  'extra currencies': {
    account: account(code.silent),
    message: lib.internal({ currencies: { 100: 5n, 101: 2n ** 60n } }),
  },
  'data 500 cells deep': { account: account(code.silent, lib.deepCell(500)), message: lib.internal({}) },
  'message 400 cells deep': { account: account(code.silent), message: lib.internal({ body: lib.deepCell(400) }) },
  'in the year 2041': { account: account(code.silent), message: lib.internal({}), now: 2_250_000_000 },
  'not an account': { account: Cell.EMPTY, message: lib.internal({}) },
  'not a message': { account: account(code.silent), message: beginCell().storeUint(3, 2).endCell() },
}

type Wallet = Contract & { readonly address: Address; readonly init: { readonly code: Cell; readonly data: Cell } }

function wallets(): readonly { name: string; wallet: Wallet; transfer: (seqno: number) => Cell }[] {
  const common = { workchain: 0, publicKey: keys.publicKey }
  const requested = (seqno: number) => ({
    seqno,
    secretKey: keys.secretKey,
    timeout: now + 60,
    sendMode: 3,
    messages: [toBob(BigInt(1000 + seqno)), internalMessage({ to: alice, value: 2000n, body: lib.deepCell(3) })],
  })
  const v3 = WalletContractV3R2.create(common)
  const v4 = WalletContractV4.create(common)
  const v5 = WalletContractV5R1.create(common)
  return [
    { name: 'wallet v3r2', wallet: v3, transfer: (seqno) => v3.createTransfer(requested(seqno)) },
    { name: 'wallet v4r2', wallet: v4, transfer: (seqno) => v4.createTransfer(requested(seqno)) },
    { name: 'wallet v5r1', wallet: v5, transfer: (seqno) => v5.createTransfer(requested(seqno)) },
  ]
}

async function runWallet(
  outcomes: Map<string, Outcome>,
  run: (name: string, of: Case) => Promise<Outcome>,
): Promise<void> {
  for (const { name, wallet, transfer } of wallets()) {
    const funded = lib.shardAccount({ address: wallet.address })
    const step = async (what: string, account: Cell, message: Cell, extra: Partial<Run> = {}) => {
      const outcome = await run(`${name}: ${what}`, { account, message, ...extra })
      outcomes.set(`${name}: ${what}`, outcome)
      return outcome.shardAccount === undefined ? account : Cell.fromBase64(outcome.shardAccount)
    }
    const deployed = await step('deploys itself', funded, lib.external(wallet.address, transfer(0), wallet.init))
    const later = { lt: startLt * 2n }
    const second = await step('transfers', deployed, lib.external(wallet.address, transfer(1)), later)
    await step('refuses a seqno used before', second, lib.external(wallet.address, transfer(1)), { lt: startLt * 3n })
    const forged = beginCell().storeBuffer(Buffer.alloc(64, 1)).storeSlice(transfer(2).beginParse().skip(512)).endCell()
    if (name === 'wallet v5r1') continue
    await step('refuses a forged signature', second, lib.external(wallet.address, forged), { lt: startLt * 3n })
    const unchecked = { lt: startLt * 3n, ignoreSignature: true }
    await step('takes a forged signature unchecked', second, lib.external(wallet.address, forged), unchecked)
  }
}

/** Delivers what a contract sent to others that throw, so that it comes back. */
async function runChain(
  outcomes: Map<string, Outcome>,
  run: (name: string, of: Case) => Promise<Outcome>,
): Promise<void> {
  const sender = account(code.sender, outgoing(toBob(50_000_000n)))
  const sent = await run('chain', { account: sender, message: lib.internal({}) })
  outcomes.set('chain: sent', sent)
  const thrower = lib.shardAccount({ address: lib.bob, code: code.throwing })
  const thrown = await run('chain', { account: thrower, message: firstOut(sent), lt: startLt * 2n })
  outcomes.set('chain: thrown', thrown)
  const back = { account: Cell.fromBase64(sent.shardAccount ?? ''), message: firstOut(thrown), lt: startLt * 3n }
  outcomes.set('chain: came back', await run('chain', back))
}

export function parseTransaction(outcome: Outcome): Transaction {
  return loadTransaction(Cell.fromBase64(outcome.transaction ?? '').beginParse())
}

function firstOut(outcome: Outcome): Cell {
  const message = parseTransaction(outcome).outMessages.get(0)
  if (message === undefined) throw new Error('Nothing was sent')
  return beginCell().store(storeMessage(message)).endCell()
}

/** All runs by name. */
export async function runCorpus(runner: Runner): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const run = (_: string, { account: shardAccount, ...rest }: Case) =>
    runner({ lt: startLt, now, ignoreSignature: false, libs: null, shardAccount, ...rest })
  for (const [name, of] of Object.entries(single)) outcomes.set(name, await run(name, of))
  await runWallet(outcomes, run)
  await runChain(outcomes, run)
  return outcomes
}
