// Requests of emulation to a service whose chain is mined by hand.

import { Address, beginCell, Cell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { runTolkCompiler } from '@ton/tolk-js'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { expect, vi } from 'vitest'
import { createClient } from '../../client/index.ts'
import { ask, type Body, post } from '../setup/calls.ts'
import type { TestService } from '../setup/service.ts'

export const RECEIVER = `0:${'AB'.repeat(32)}`
export const TRACE = '/api/emulate/v1/emulateTrace'
export const CONNECT = '/api/emulate/v1/emulateTonConnect'

export type Fields = Readonly<Record<string, unknown>>
export interface Node {
  readonly tx_hash: string
  readonly children: readonly Node[]
}
interface Change {
  readonly ton: string
  readonly fees: string
}
export interface Emulated extends Body {
  readonly mc_block_seqno: number
  readonly trace: Node
  readonly transactions: Readonly<Record<string, Fields>>
  readonly actions: readonly Fields[]
  readonly balance_changes: Readonly<Record<string, Change>>
  readonly is_incomplete: boolean
}

const textOf = (value: unknown): string => JSON.stringify(value)

/** The tree with what does not depend on when it was mined. */
export function fate(node: Node, all: Readonly<Record<string, Fields>>): unknown {
  const { account, end_status, description, in_msg } = all[node.tx_hash] as Fields
  const { aborted, compute_ph, action } = description as { aborted: boolean; compute_ph: Fields; action?: Fields }
  const { source, value, opcode } = in_msg as Fields
  const { exit_code, gas_used } = compute_ph
  // Of a message from outside it is the beginning of the signature.
  const op = source === null ? null : opcode
  // In no order: it is that of logical times, which blocks give.
  const children = node.children.map((child) => fate(child, all)).sort((a, b) => textOf(a).localeCompare(textOf(b)))
  return {
    account,
    end_status,
    aborted,
    exit_code,
    gas_used,
    source,
    value,
    op,
    result: action?.result_code,
    children,
  }
}

/** Nanotons that an account paid for its storage in some transactions. */
export const rentOf = (raw: string, all: Readonly<Record<string, Fields>>): bigint =>
  Object.values(all)
    .filter(({ account }) => account === raw.toUpperCase())
    .map(({ description }) => (description as { storage_ph?: Fields }).storage_ph?.storage_fees_collected)
    .reduce<bigint>((sum, fee) => sum + BigInt(String(fee ?? 0)), 0n)

export const KINDS = ['v3r2', 'v4r2', 'v5r1'] as const
export type Kind = (typeof KINDS)[number]

interface Order {
  readonly to: string
  readonly amount: bigint
  readonly comment: string
}

export const ordersOf = (count: number): readonly Order[] =>
  Array.from({ length: count }, (_, i) => ({
    to: i === 2 ? `0:${'CD'.repeat(32)}` : RECEIVER,
    amount: toNano(1) + BigInt(i),
    // So long that a wallet puts it into a cell of its own, as these requests always do.
    comment: `number ${i}, ${'for a reason '.repeat(7)}`,
  }))

export const commentCell = (text: string): Cell => beginCell().storeUint(0, 32).storeStringTail(text).endCell()

export async function compiled(source: string): Promise<Cell> {
  const result = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source })
  if (result.status === 'error') throw new Error(result.message)
  return Cell.fromBase64(result.codeBoc64)
}

export function createScene(service: () => TestService) {
  const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

  const emulated = async (path: string, params: Fields): Promise<Emulated> => {
    const { status, body } = await post(service(), path, params)
    expect([status, body.error]).toEqual([200, undefined])
    // The cast: the service answered with success.
    return body as Emulated
  }
  const refused = async (path: string, params: Fields) => {
    const { status, body } = await post(service(), path, params)
    return [status, body.error]
  }

  async function globalId(): Promise<number> {
    const { body } = await ask(service(), '/api/v3/masterchainInfo')
    return Number((body.last as Fields).global_id)
  }

  async function walletOf(kind: Kind) {
    const { accounts } = await client().dev.state()
    const mnemonic = accounts.find((one) => one.kind === kind)?.mnemonic ?? ''
    const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
    const wallet =
      kind === 'v3r2'
        ? WalletContractV3R2.create({ workchain: 0, publicKey })
        : kind === 'v4r2'
          ? WalletContractV4.create({ workchain: 0, publicKey })
          : WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId: await globalId() } })
    return { wallet, secretKey }
  }

  async function signed(kind: Kind, seqno: number, orders: readonly Order[], key?: Buffer) {
    const { wallet, secretKey } = await walletOf(kind)
    const messages = orders.map(({ to, amount, comment }) =>
      internal({ to: Address.parse(to), value: amount, bounce: true, body: commentCell(comment) }),
    )
    const sendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS
    const request = { seqno, secretKey: key ?? secretKey, sendMode, messages }
    const body =
      wallet instanceof WalletContractV3R2
        ? wallet.createTransfer(request)
        : wallet instanceof WalletContractV4
          ? wallet.createTransfer(request)
          : wallet.createTransfer(request)
    const cell = beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell()
    return { wallet, boc: cell.toBoc().toString('base64'), hash: cell.hash().toString('base64') }
  }

  /** Waits until the index is where the chain is. */
  async function indexed() {
    const { last } = await client().getMasterchainInfo()
    await vi.waitFor(
      async () => {
        const { body } = await ask(service(), '/api/v3/masterchainInfo')
        expect(Number((body.last as Fields | undefined)?.seqno ?? 0)).toBeGreaterThanOrEqual(last.seqno)
      },
      { timeout: 300_000, interval: 10 },
    )
  }

  return { indexed, client, emulated, refused, walletOf, signed }
}
