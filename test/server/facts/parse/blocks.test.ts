// Real blocks of the mainnet, against what is known of them and against another reader of transactions.

import { Cell as CoreCell, type Transaction as CoreTransaction, loadTransaction as loadCore } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { type Cell, openCell } from '../../../../server/cell/index.ts'
import { accountKeyText, type BlockFacts, parseBlock, type TransactionFacts } from '../../../../server/facts/index.ts'
import type { MessageRow } from '../../../../server/store/index.ts'
import { accountBlocksOf, blockExtraOf, blockInfoOf, inMsgsOf, loadBlock } from '../../../../server/tlb/index.ts'
import { messageOfInMsg, outMsgsOf } from '../../../setup/blockParts.ts'
import { toCore } from '../../../setup/tonCore.ts'
import { blockFacts, blockNames } from '../../cell/fixtures.ts'
import { hex, openFixture } from './namedBlocks.ts'

interface Expected {
  readonly Accounts: Record<string, { readonly Transactions: Record<string, Record<string, unknown>> }>
  readonly TxHashes: readonly string[] | null
  readonly InMsgDescrLength: number
  readonly OutMsgDescrLength: number
}

const base64 = (hash: bigint): string => Buffer.from(hash.toString(16).padStart(64, '0'), 'hex').toString('base64')
const without = (value: object): object => JSON.parse(JSON.stringify(value))

/** The description as another reader's values say it must be. */
function described({ description: d }: CoreTransaction): object {
  if (d.type !== 'generic' && d.type !== 'tick-tock') throw new Error(`${d.type} is in no fixture`)
  const { storagePhase: s, computePhase: c, actionPhase: a } = d
  const credit = d.type === 'generic' ? d.creditPhase : undefined
  const bounce = d.type === 'generic' ? d.bouncePhase : undefined
  return without({
    type: d.type === 'generic' ? 'ord' : 'tick_tock',
    aborted: d.aborted,
    destroyed: d.destroyed,
    ...(d.type === 'generic' ? { credit_first: d.creditFirst } : { is_tock: d.isTock }),
    storage_ph: s && {
      storage_fees_collected: String(s.storageFeesCollected),
      storage_fees_due: s.storageFeesDue?.toString(),
      status_change: s.statusChange,
    },
    credit_ph: credit && {
      credit: String(credit.credit.coins),
      due_fees_collected: credit.dueFeesColelcted?.toString(),
    },
    compute_ph:
      c.type === 'skipped'
        ? { skipped: true, reason: c.reason.replace('-', '_') }
        : {
            skipped: false,
            success: c.success,
            msg_state_used: c.messageStateUsed,
            account_activated: c.accountActivated,
            gas_fees: String(c.gasFees),
            gas_used: String(c.gasUsed),
            gas_limit: String(c.gasLimit),
            gas_credit: c.gasCredit?.toString(),
            mode: c.mode,
            exit_code: c.exitCode,
            exit_arg: c.exitArg,
            vm_steps: c.vmSteps,
            vm_init_state_hash: base64(c.vmInitStateHash),
            vm_final_state_hash: base64(c.vmFinalStateHash),
          },
    action: a && {
      success: a.success,
      valid: a.valid,
      no_funds: a.noFunds,
      status_change: a.statusChange,
      total_fwd_fees: a.totalFwdFees?.toString(),
      total_action_fees: a.totalActionFees?.toString(),
      result_code: a.resultCode,
      result_arg: a.resultArg,
      tot_actions: a.totalActions,
      spec_actions: a.specActions,
      skipped_actions: a.skippedActions,
      msgs_created: a.messagesCreated,
      action_list_hash: base64(a.actionListHash),
      tot_msg_size: { cells: String(a.totalMessageSize.cells), bits: String(a.totalMessageSize.bits) },
    },
    bounce: bounce && { type: { ok: 'ok', 'no-funds': 'nofunds', 'negative-funds': 'negfunds' }[bounce.type] },
  })
}

const textOf = (key: Uint8Array | null): string | null => (key === null ? null : accountKeyText(key))

function expectMessage(row: MessageRow, core: CoreTransaction['inMessage']): void {
  if (!core) throw new Error('There is no such message')
  const { info, body, init } = core
  expect(CoreCell.fromBoc(Buffer.from(row.body))[0]?.hash()).toEqual(body.hash())
  expect(Buffer.from(row.body).toString('base64')).toMatch(/^te6cck/)
  expect(hex(row.bodyHash)).toBe(body.hash().toString('hex'))
  expect(row.opcode).toBe(body.bits.length < 32 ? null : body.beginParse().loadInt(32))
  expect(row.init === null).toBe(!init)
  expect([textOf(row.source), textOf(row.destination)]).toEqual([
    info.type === 'external-in' ? null : info.src.toRawString(),
    info.type === 'external-out' ? null : info.dest.toRawString(),
  ])
  if (info.type === 'internal')
    expect(row).toMatchObject({
      kind: 'internal',
      value: info.value.coins,
      valueExtra: {},
      fwdFee: info.forwardFee,
      ihrFee: info.ihrFee,
      extraFlags: null,
      createdLt: info.createdLt,
      createdAt: info.createdAt,
      ihrDisabled: info.ihrDisabled,
      bounce: info.bounce,
      bounced: info.bounced,
      importFee: null,
    })
  else expect(row).toMatchObject({ value: null, valueExtra: null, fwdFee: null, ihrFee: null, bounce: null })
}

function cellsOf(root: Cell): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  for (const { transactions } of accountBlocksOf(blockExtraOf(loadBlock(openCell(root)))).values())
    for (const cell of transactions.values()) cells.set(cell.hashHex(), cell)
  return cells
}

const key = (workchain: number, shard: bigint, seqno: number) => ({ workchain, shard, seqno })
/** The second block joins two shards. */
const previous = {
  'block-1': [key(0, -(2n ** 63n), 30816552)],
  'block-4': [key(0, 0x0d83400000000000n, 4168600), key(0, 0x0d83c00000000000n, 4168599)],
  'block-5': [key(-1, -(2n ** 63n), 17734190)],
} as const

const SHOWN_BEFORE = { 'block-1': [2, 4], 'block-4': [0, 0], 'block-5': [3, 4] } as const

const inOrder = ({ transactions }: BlockFacts): boolean =>
  transactions.every((one, i) => {
    const before = transactions[i - 1]
    if (before === undefined || before.lt < one.lt) return true
    return before.lt === one.lt && Buffer.compare(before.account, one.account) < 0
  })

describe.each(blockNames)('%s', (name) => {
  const { id, bytes, root } = openFixture(name)
  const facts = parseBlock(id, bytes, { mcSeqno: 77 })
  const { transactions, messages, accounts } = facts
  const expected = blockFacts(name) as Expected

  test('has the transactions that are known of it', () => {
    const found: Record<string, { Transactions: Record<string, unknown> }> = {}
    for (const one of transactions) {
      const account = String(hex(one.account.subarray(1)))
      const entry = found[account] ?? { Transactions: {} }
      found[account] = entry
      entry.Transactions[String(one.lt)] = {
        AccountAddr: account,
        Lt: Number(one.lt),
        PrevTransHash: hex(one.prevHash),
        PrevTransLt: Number(one.prevLt),
        Now: one.now,
        OutMsgCnt: one.outMessages.length,
        OrigStatus: one.origStatus,
        EndStatus: one.endStatus,
      }
    }
    expect(found).toEqual(expected.Accounts)
    expect(transactions.map(({ hash }) => hex(hash)).sort()).toEqual([...(expected.TxHashes ?? [])].sort())
    expect(facts.block.txCount).toBe(transactions.length)
    expect(inOrder(facts)).toBe(true)
  })

  test('says of its transactions what another reader says', () => {
    const cells = cellsOf(root)
    for (const one of transactions) {
      const cell = cells.get(String(hex(one.hash)))
      const core = loadCore(toCore(cell ?? root).beginParse())
      expect(JSON.parse(one.description)).toMatchObject(described(core))
      expect(Object.keys(JSON.parse(one.description))).toEqual(Object.keys(described(core)))
      expect(one.totalFees).toBe(core.totalFees.coins)
      expect([hex(one.stateBefore), hex(one.stateAfter)]).toEqual([
        core.stateUpdate.oldHash.toString('hex'),
        core.stateUpdate.newHash.toString('hex'),
      ])
      expect(one.inMsgHash).toEqual(one.inMessage?.hash ?? null)
      if (one.inMessage) expectMessage(one.inMessage, core.inMessage)
      for (const [i, row] of one.outMessages.entries()) {
        expectMessage(row, core.outMessages.get(i))
        expect(row.outTxHash).toEqual(one.hash)
      }
      expect(one).toMatchObject({ mcSeqno: 77, totalFeesExtra: {}, block: { seqno: id.seqno } })
    }
  })

  test('shows what accounts were before it, as their transactions say', () => {
    const first = new Map(transactions.toReversed().map((one) => [hex(one.account), one]))
    const existed = [...first.values()].filter(({ origStatus }) => origStatus !== 'nonexist')
    const shown = accounts.filter(({ before }) => before !== null)
    for (const { account, before } of shown)
      expect([hex(before?.hash ?? null), before?.status]).toEqual([
        hex(first.get(hex(account))?.stateBefore ?? null),
        first.get(hex(account))?.origStatus,
      ])
    // A node shows the old entry where cells below it stayed: not of accounts that are all in one cell each.
    expect([shown.length, existed.length]).toEqual(SHOWN_BEFORE[name])
  })

  test('has each message once, and those its own lists have', () => {
    const hashes = messages.map(({ hash }) => hex(hash))
    expect(new Set(hashes).size).toBe(hashes.length)
    const used = (list: readonly (MessageRow | null)[]) => list.flatMap((row) => (row === null ? [] : [hex(row.hash)]))
    const extra = blockExtraOf(loadBlock(openCell(root)))
    const ins = [...inMsgsOf(extra)]
    const outs = [...outMsgsOf(extra)]
    expect([ins.length, outs.length]).toEqual([expected.InMsgDescrLength, expected.OutMsgDescrLength])
    const consumed = ins.flatMap(([key, value]) => ('transaction' in value ? [hex(key)] : []))
    expect(used(transactions.map(({ inMessage }) => inMessage)).sort()).toEqual(consumed.sort())
    for (const [, value] of ins) expect(messageOfInMsg(value)).toBeDefined()
    const produced = outs.flatMap(([key, value]) => ('transaction' in value ? [hex(key)] : []))
    expect(used(transactions.flatMap(({ outMessages }) => outMessages)).sort()).toEqual(produced.sort())
    const both = [...consumed, ...produced]
    expect([...hashes].sort()).toEqual([...new Set(both)].sort())
  })

  test('changes the accounts that had transactions', () => {
    const last = new Map<string, TransactionFacts>()
    for (const one of transactions) last.set(accountKeyText(one.account), one)
    const names = accounts.map(({ account }) => accountKeyText(account))
    expect(names).toEqual([...names].sort())
    expect([...last.keys()].filter((account) => !names.includes(account))).toEqual([])
    for (const { account, hash, state, lastTxHash, lastTxLt } of accounts) {
      if (state === 'incomplete') throw new Error('No account here has extra currencies')
      const one = last.get(accountKeyText(account))
      // Neighbours whose place in the dictionary is another one; of those that are contracts nothing is shown.
      if (one === undefined) expect([state.status, lastTxLt < facts.block.startLt]).toEqual(['uninit', true])
      else {
        expect([hex(hash), hex(lastTxHash), lastTxLt]).toEqual([hex(one.stateAfter), hex(one.hash), one.lt])
        expect(state).toMatchObject({ hash, status: one.endStatus, extra: {} })
      }
    }
  })

  test('has the header it has', () => {
    const info = blockInfoOf(loadBlock(openCell(root)))
    const { block } = facts
    expect(block).toMatchObject({
      workchain: id.workchain,
      seqno: id.seqno,
      mcSeqno: 77,
      globalId: -239,
      keyBlock: info.keyBlock,
    })
    expect(BigInt.asUintN(64, block.shard)).toBe(id.shard)
    expect(block.prevBlocks).toEqual(previous[name])
    expect(block.masterRefSeqno).toBe(info.masterRef?.seqno ?? 0)
    expect(facts.master === null).toBe(id.workchain !== -1)
  })

  test('is the same when its cells were read before', () => {
    const again = parseBlock(id, root, { mcSeqno: 77 })
    expect(again.messages.map(({ hash }) => hex(hash))).toEqual(messages.map(({ hash }) => hex(hash)))
    expect(again.accounts.map(({ hash }) => hex(hash))).toEqual(accounts.map(({ hash }) => hex(hash)))
  })
})

test('a masterchain block names the newest blocks of all shards', () => {
  const { id, bytes } = openFixture('block-5')
  const { master } = parseBlock(id, bytes, { mcSeqno: id.seqno })
  expect(master?.globalVersion).toBeNull()
  expect(master?.shardTops.length).toBeGreaterThan(0)
  for (const top of master?.shardTops ?? [])
    expect([top.workchain, top.rootHash.length, top.fileHash.length]).toEqual([0, 32, 32])
})
