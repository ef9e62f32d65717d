// Messages from outside: taken once, refused in the node's words, and never a danger to the chain.

import { describe, expect, onTestFinished, test } from 'vitest'
import { beginCell, type Cell, openCell, storeAddress, writeBoc } from '../../../server/cell/index.ts'
import { injectedMessage } from '../../../server/devchain/collate/index.ts'
import { type Devchain, MessageRefused, type RefusalReason } from '../../../server/devchain/index.ts'
import { loadTransaction } from '../../../server/tlb/index.ts'
import { createTvmPool, TvmBusy, TvmError, type TvmRuns, TvmTimeout } from '../../../server/tvm/index.ts'
import { hex, openChain } from './devchains.ts'
import { random } from './traffic.ts'
import { account, address, bornWallet, coins, external, madeWallet, transfer, transferCell } from './wallets.ts'

async function refusal(chain: Devchain, boc: Uint8Array): Promise<MessageRefused> {
  const outcome = await chain.send(boc).then(
    () => new Error('it was taken'),
    (error: unknown) => error,
  )
  if (!(outcome instanceof MessageRefused)) throw outcome
  return outcome
}

const empty = beginCell().end()
const library = beginCell().storeUint(2, 8).storeRepeat(1, 256).end(true)
const deep = (depth: number): Cell => {
  let cell = empty
  for (let i = 0; i < depth; i++) cell = beginCell().storeRef(cell).end()
  return cell
}
/** Five levels of different cells, together more than 64 KiB. */
function wide(level = 5, number = 1): Cell {
  const builder = beginCell().storeUint(number, 64).storeRepeat(1, 900)
  for (let i = 0; level > 0 && i < 4; i++) builder.storeRef(wide(level - 1, number * 4 + i))
  return builder.end()
}

describe('a message from outside', () => {
  test('default: the answer comes when the message is in a block', async () => {
    const { chain } = await openChain()
    const message = transferCell(bornWallet(0), [{ to: account(1), value: coins(1) }])
    const receipt = await chain.send(writeBoc(message))
    expect(hex(receipt.messageHash)).toBe(message.hashHex())
    expect(chain.head().shard?.transactions).toBe(2)
    expect(chain.reader.moment().shard.accounts.get(account(1).id)).toBeDefined()
  })

  test('behavior: messages that arrive together share a block', async () => {
    const { chain } = await openChain()
    const before = chain.head().master.id.seqno
    const wallets = [bornWallet(0), bornWallet(1), bornWallet(2)]
    await Promise.all(wallets.map((wallet) => chain.send(transfer(wallet, { to: account(1), value: coins(1) }))))
    expect(chain.head().master.id.seqno).toBe(before + 1)
    expect(chain.head().shard?.transactions).toBe(6)
  })

  test('behavior: one to the masterchain comes back without waiting', async () => {
    const { chain } = await openChain()
    const wallet = bornWallet(0)
    await chain.send(transfer(wallet, { to: account(9, -1), value: coins(5), bounce: true }))
    await chain.control.mine(1)
    const { shard } = chain.reader.moment()
    const found = shard.accounts.get(wallet.address.id)
    const seen = await chain.reader.transactions({
      workchain: 0,
      account: wallet.address.id,
      lt: found?.lastTransLt ?? 0n,
      hash: found?.lastTransHash ?? new Uint8Array(),
      count: 10,
    })
    expect(seen.length).toBe(2)
    const [last, first] = seen.map(({ transaction }) => loadTransaction(openCell(transaction)))
    expect(last?.prevLt).toBe(first?.lt)
  })

  test('behavior: the same again, also in other wrapping, is executed once', async () => {
    const { chain } = await openChain()
    const wallet = bornWallet(0)
    const boc = transfer(wallet, { to: account(1), value: coins(1) })
    const [first, second] = await Promise.all([chain.send(boc), chain.send(boc)])
    expect(hex(second.normalizedHash)).toBe(hex(first.normalizedHash))
    const { shard } = chain.reader.moment()
    const before = shard.accounts.get(wallet.address.id)?.lastTransLt
    expect(before).toBeDefined()
    const body = transferCell(bornWallet(0), [{ to: account(1), value: coins(1) }]).refs[0] ?? empty
    const head = () => storeAddress(beginCell().storeUint(0b1000, 4), address(wallet.address))
    const wrapped = [
      head().storeCoins(7n).storeUint(0b01, 2).storeRef(body),
      head().storeCoins(0n).storeUint(0b00, 2).storeSlice(openCell(body)),
      head().storeCoins(0n).storeUint(0b11, 2).storeRef(beginCell().storeUint(0, 5).end()).storeBit(1).storeRef(body),
    ]
    expect((await refusal(chain, boc)).exitCode).toBe(33)
    for (const other of wrapped) expect((await refusal(chain, writeBoc(other.end()))).reason).toBe('notAccepted')
    expect(chain.reader.moment().shard.accounts.get(wallet.address.id)?.lastTransLt).toBe(before)
  })

  test('behavior: a wallet that has coins but no code brings it along', async () => {
    const { chain } = await openChain()
    const wallet = madeWallet(1)
    await chain.control.faucet(wallet.address, coins(3))
    const init = beginCell().storeUint(0b00110, 5).storeRef(wallet.code).storeRef(wallet.data).end()
    const body = transferCell(wallet, [{ to: account(4), value: coins(1) }]).refs[0] ?? empty
    const message = storeAddress(beginCell().storeUint(0b1000, 4), address(wallet.address))
      .storeCoins(0n)
      .storeUint(0b11, 2)
      .storeRef(init)
      .storeBit(1)
      .storeRef(body)
    const bare = await refusal(chain, writeBoc(external(wallet.address, body)))
    expect(bare.message).toMatch(/exitcode=0, steps=0, gas_used=0$/)
    await chain.send(writeBoc(message.end()))
    expect(chain.reader.moment().shard.accounts.get(account(4).id)).toBeDefined()
  })

  const cases: readonly [string, () => Uint8Array, RefusalReason, RegExp][] = [
    ['no bag of cells', () => Uint8Array.of(0xde, 0xad, 0xbe, 0xef, 1, 2, 3), 'notABag', /^INVALID_BAG_OF_CELLS: body/],
    ['nothing', () => new Uint8Array(), 'notABag', /^INVALID_BAG_OF_CELLS: body/],
    ['two roots', () => writeBoc([empty, deep(1)]), 'malformed', /^INVALID_BAG_OF_CELLS: body \(it must have exactly/],
    ['an empty cell', () => writeBoc(empty), 'malformed', /^Failed to unpack Message$/],
    ['too many bytes', () => writeBoc(external(account(1), wide())), 'tooLarge', /too large/],
    ['a tree too deep', () => writeBoc(external(account(1), deep(520))), 'tooDeep', /too deep/],
    ['another workchain', () => writeBoc(external(account(1, 5), empty)), 'noShard', /^no shard .* for account 5:0x/],
    [
      'an internal message',
      () => {
        const injected = { from: account(1), to: account(2), value: 1n, body: null, init: null, bounce: false }
        return writeBoc(injectedMessage(injected, 1n, 1))
      },
      'malformed',
      /^CommonMsgInfo tag is not ext_in_msg_info$/,
    ],
    [
      'an exotic body',
      () => writeBoc(external(account(3), library)),
      'malformed',
      /^no contract takes .* exotic cell$/,
    ],
    ['no such account', () => writeBoc(external(account(77), empty)), 'noAccount', /: Failed to unpack account state$/],
  ]
  test.each(cases)('error: %s', async (_, make, reason, text) => {
    const { chain } = await openChain()
    const error = await refusal(chain, make())
    expect(error.reason).toBe(reason)
    // Clients take these words for a refusal by the contract.
    expect(error.message.startsWith('cannot apply external message')).toBe(reason === 'noAccount')
    expect(error.message).toMatch(text)
  })

  test('error: a contract that does not accept is quoted with its log', async () => {
    const { chain } = await openChain()
    const wallet = bornWallet(0)
    await chain.send(transfer(wallet, { to: account(1), value: coins(1) }))
    const stale = writeBoc(transferCell(wallet, [{ to: account(2), value: coins(1) }], 0))
    const error = await refusal(chain, stale)
    expect(error.exitCode).toBe(33)
    const id = hex(wallet.address.id).toUpperCase()
    expect(error.message).toMatch(
      new RegExp(
        `^cannot apply external message to current state : External message was not accepted\\n` +
          `Cannot run message on account: inbound external message rejected by transaction ${id}:\\n` +
          `exitcode=33, steps=\\d+, gas_used=0\\nVM Log \\(truncated\\):\\n\\.\\.\\.[\\s\\S]*exit code 33\\n$`,
      ),
    )
    expect(Number(/steps=(\d+)/.exec(error.message)?.[1])).toBeGreaterThan(10)
  })

  test.each(['manual', { everyMs: 3_600_000 }] as const)(
    'args: mining %j tries it out and lets it wait',
    async (mining) => {
      const { chain } = await openChain({ mining })
      const wallet = bornWallet(0)
      const boc = transfer(wallet, { to: account(1), value: coins(1) })
      const receipt = await chain.send(boc)
      expect(await chain.send(boc)).toEqual(receipt)
      expect(chain.control.state().pending).toBe(1)
      const stale = writeBoc(transferCell(wallet, [{ to: account(2), value: coins(1) }], 99))
      expect((await refusal(chain, stale)).exitCode).toBe(33)
      await chain.control.mine(1)
      expect(chain.control.state().pending).toBe(0)
      expect(chain.head().shard?.transactions).toBe(2)
      expect((await refusal(chain, boc)).exitCode).toBe(33)
    },
  )

  test('behavior: what is tried out runs in the threads it is given, and no block waits for it', async () => {
    const pool = await createTvmPool({ workers: 1 })
    onTestFinished(() => pool.close())
    const shares: (string | undefined)[] = []
    const emulate: TvmRuns['emulate'] = (config, block, run, options) => {
      shares.push(options?.share)
      return pool.emulate(config, block, run, options)
    }
    const { chain } = await openChain({ mining: 'manual', trials: { runGetMethod: pool.runGetMethod, emulate } })
    const wallet = bornWallet(0)
    await chain.send(transfer(wallet, { to: account(1), value: coins(1) }), 'somebody')
    expect(shares).toEqual(['somebody'])
    const stale = writeBoc(transferCell(wallet, [{ to: account(2), value: coins(1) }], 99))
    expect((await refusal(chain, stale)).message).toMatch(/exitcode=33, steps=\d\d/)
    // Once for the verdict, once more for its log.
    expect(shares).toHaveLength(3)
    await chain.control.mine(1)
    expect(shares).toHaveLength(3)
    expect(chain.head().shard?.transactions).toBe(2)
  })

  test('behavior: blocks that are made by hand have what was sent before, while it is still tried out', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    const wallets = [bornWallet(0), bornWallet(1), bornWallet(2)]
    const sent = wallets.map((wallet) => chain.send(transfer(wallet, { to: account(1), value: coins(1) })))
    await chain.control.mine(1)
    expect(chain.control.state().pending).toBe(0)
    expect(chain.head().shard?.transactions).toBe(6)
    await Promise.all(sent)
  })

  test.each([
    [new TvmBusy(1, 'caller'), 'poolFull'],
    [new TvmError('closed', 'The TVM pool is closed'), 'dropped'],
    [new TvmTimeout(2000), 'notAccepted'],
  ] as const)('error: a message that could not be tried out: %s', async (error, reason) => {
    const fail = () => Promise.reject(error)
    const { chain } = await openChain({ mining: 'manual', trials: { runGetMethod: fail, emulate: fail } })
    const boc = transfer(bornWallet(0), { to: account(1), value: coins(1) })
    expect((await refusal(chain, boc)).reason).toBe(reason)
    expect(chain.control.state().pending).toBe(0)
  })

  test.each([{ maxPending: 1 }, { maxBytes: 300 }])('error: a full pool says so: %o', async (mempool) => {
    const { chain } = await openChain({ mining: 'manual', mempool })
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    const another = transfer(bornWallet(1), { to: account(1), value: coins(1) })
    expect((await refusal(chain, another)).reason).toBe('poolFull')
    await chain.control.mine(1)
    await chain.send(another)
  })

  test('behavior: broken messages by the hundred do no harm', async () => {
    const { chain, warnings } = await openChain()
    const next = random(11)
    const good = transfer(bornWallet(0), { to: account(1), value: coins(1) })
    let refused = 0
    for (let round = 0; round < 300; round++) {
      const bad = good.slice()
      for (let flips = 1 + Math.floor(next() * 4); flips > 0; flips--) {
        const at = Math.floor(next() * bad.length)
        bad[at] = Math.floor(next() * 256)
      }
      await chain.send(bad).catch((error: unknown) => {
        expect(error).toBeInstanceOf(MessageRefused)
        refused++
      })
    }
    expect(refused).toBeGreaterThan(250)
    await chain.send(transfer(bornWallet(1), { to: account(1), value: coins(1) }))
    expect(warnings).toEqual([])
  })
})
