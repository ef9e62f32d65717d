import { Cell as CoreCell, loadTransaction as loadCoreTransaction } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { buildDict, type Cell, type Dict, openCell, readBoc, virtualize } from '../../../server/cell/index.ts'
import {
  accountBlocksOf,
  accountsOf,
  type Block,
  type BlockExtra,
  blockInfoOf,
  type CurrencyCollection,
  depthBalanceOf,
  dictCell,
  findShard,
  inMsgsOf,
  isBalanced,
  loadAccount,
  loadBlock,
  loadBlockExtra,
  loadBlockInfo,
  loadEnvelope,
  loadInMsg,
  loadMasterBlockExtra,
  loadMessage,
  loadShardState,
  loadShardStateDetails,
  loadSplitState,
  loadStates,
  loadTransaction,
  makeShardTree,
  masterExtraOf,
  masterStateOf,
  shardOf,
  shardsOf,
  stateDetailsOf,
  storeAccount,
  storeBlock,
  storeBlockExtra,
  storeBlockInfo,
  storeEnvelope,
  storeInMsg,
  storeMasterBlockExtra,
  storeMessage,
  storeShardState,
  storeShardStateDetails,
  storeValueFlow,
} from '../../../server/tlb/index.ts'
import { blockValueFlowOf, loadValueFlow, messageOfInMsg, outMsgsOf, storeSplitState } from '../../setup/blockParts.ts'
import { toCore } from '../../setup/tonCore.ts'
import { storeTransaction } from '../../setup/writtenTransaction.ts'
import { blockBytes, blockFacts, blockNames } from '../cell/fixtures.ts'
import { roundTrip } from './roundTrip.ts'

interface Amount {
  readonly Grams: string
  readonly Other: Record<string, string>
}

interface TransactionFacts {
  readonly AccountAddr: string
  readonly Lt: number
  readonly PrevTransHash: string
  readonly PrevTransLt: number
  readonly Now: number
  readonly OutMsgCnt: number
  readonly OrigStatus: string
  readonly EndStatus: string
}

interface BlockFacts {
  readonly Accounts: Record<string, { Transactions: Record<string, TransactionFacts> }>
  readonly TxHashes: readonly string[] | null
  readonly ValueFlow: Record<string, Amount | null>
  readonly InMsgDescrLength: number
  readonly OutMsgDescrLength: number
  readonly Libraries: Record<string, Record<string, unknown>>
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const rootOf = (dict: { root: Cell | null }): string | undefined => dict.root?.hashHex()

function amount(value: CurrencyCollection | null): Amount | null {
  if (value === null) return null
  return {
    Grams: String(value.grams),
    Other: Object.fromEntries([...value.other].map(([id, v]) => [String(id), String(v)])),
  }
}

function open(name: string): { block: Block; extra: BlockExtra; facts: BlockFacts; root: Cell } {
  const root = readBoc(blockBytes(name))
  const block = roundTrip(root, loadBlock, storeBlock)
  return {
    root,
    block,
    extra: roundTrip(block.extra, loadBlockExtra, storeBlockExtra),
    facts: blockFacts(name) as BlockFacts,
  }
}

/** A dictionary put together again from its entries has the same root, extras of all nodes included. */
function expectRebuilt<K, V, X>(dict: Dict<K, V, X>): void {
  expect(rootOf(buildDict(dict.kind, dict))).toBe(rootOf(dict))
}

describe.each(blockNames)('%s', (name) => {
  const { root, block, extra, facts } = open(name)

  test('default: header and value flow', () => {
    const info = roundTrip(block.info, loadBlockInfo, storeBlockInfo)
    expect(blockInfoOf(block)).toEqual(info)
    expect(info.masterRef === null).toBe(info.shard.workchain === -1)
    expect(Math.max(...info.previous.map((previous) => previous.seqno))).toBe(info.seqno - 1)
    expect(info.endLt > info.startLt).toBe(true)
    const flow = roundTrip(block.valueFlow, loadValueFlow, storeValueFlow)
    expect(isBalanced(flow)).toBe(true)
    expect(isBalanced({ ...flow, created: flow.exported, exported: flow.toNext })).toBe(false)
    expect({
      FromPrevBlk: amount(flow.fromPrevious),
      ToNextBlk: amount(flow.toNext),
      Imported: amount(flow.imported),
      Exported: amount(flow.exported),
      FeesCollected: amount(flow.feesCollected),
      Burned: amount(flow.burned),
      FeesImported: amount(flow.feesImported),
      Recovered: amount(flow.recovered),
      Created: amount(flow.created),
      Minted: amount(flow.minted),
    }).toEqual(facts.ValueFlow)
    expect(blockValueFlowOf(block).toNext.grams).toBe(flow.toNext.grams)
  })

  test('behavior: transactions are those expected, and their dictionaries add up the same fees', () => {
    const accounts = accountBlocksOf(extra)
    const found: BlockFacts['Accounts'] = {}
    const hashes: string[] = []
    for (const [id, account] of accounts) {
      expect(account.account).toEqual(id)
      expectRebuilt(account.transactions)
      const Transactions: Record<string, TransactionFacts> = {}
      for (const [lt, cell] of account.transactions) {
        const tx = roundTrip(cell, loadTransaction, storeTransaction)
        hashes.push(cell.hashHex())
        Transactions[String(lt)] = {
          AccountAddr: hex(tx.account),
          Lt: Number(tx.lt),
          PrevTransHash: hex(tx.prevHash),
          PrevTransLt: Number(tx.prevLt),
          Now: tx.now,
          OutMsgCnt: tx.outCount,
          OrigStatus: tx.origStatus,
          EndStatus: tx.endStatus,
        }
        expect(tx.outMessages.count()).toBe(tx.outCount)
        for (const message of [...tx.outMessages.values(), ...(tx.inMessage === null ? [] : [tx.inMessage])])
          roundTrip(message, loadMessage, storeMessage)
      }
      found[hex(id)] = { Transactions }
    }
    expect(found).toEqual(facts.Accounts)
    expect(hashes.sort()).toEqual([...(facts.TxHashes ?? [])].sort())
    expectRebuilt(accounts)
    expect(dictCell(accounts).hash()).toBe(extra.accountBlocks.hash())
  })

  test('behavior: messages in and out, their envelopes, and the sums over them', () => {
    const ins = inMsgsOf(extra)
    const outs = outMsgsOf(extra)
    const flow = blockValueFlowOf(block)
    expect([ins.count(), outs.count()]).toEqual([facts.InMsgDescrLength, facts.OutMsgDescrLength])
    for (const [key, message] of ins) {
      expect(hex(key)).toBe(messageOfInMsg(message).hashHex())
      if ('envelope' in message) roundTrip(message.envelope, loadEnvelope, storeEnvelope)
    }
    for (const [, message] of outs) {
      if ('envelope' in message) roundTrip(message.envelope, loadEnvelope, storeEnvelope)
      if ('reimport' in message) roundTrip(message.reimport, loadInMsg, storeInMsg)
      if ('imported' in message) roundTrip(message.imported, loadInMsg, storeInMsg)
    }
    expectRebuilt(ins)
    expectRebuilt(outs)
    expect(dictCell(ins).hash()).toBe(extra.inMsgs.hash())
    expect(dictCell(outs).hash()).toBe(extra.outMsgs.hash())
    expect(amount(ins.extra?.valueImported ?? null)).toEqual(amount(flow.imported))
    expect(amount(outs.extra ?? null)).toEqual(amount(flow.exported))
    const fees = (accountBlocksOf(extra).extra?.grams ?? 0n) + (ins.extra?.feesCollected ?? 0n)
    expect(flow.feesCollected.grams).toBe(flow.created.grams + flow.feesImported.grams + fees)
  })

  test('behavior: every transaction reads as @ton/core reads it', () => {
    for (const account of accountBlocksOf(extra).values())
      for (const cell of account.transactions.values()) {
        const ours = loadTransaction(openCell(cell))
        const core = loadCoreTransaction(toCore(cell).beginParse())
        const { description: d } = core
        expect(ours.totalFees.grams).toBe(core.totalFees.coins)
        expect(hex(ours.stateUpdate.after)).toBe(core.stateUpdate.newHash.toString('hex'))
        expect(ours.description.kind).toBe({ generic: 'ordinary', 'tick-tock': 'tickTock' }[d.type as string])
        if (ours.description.kind !== 'ordinary' || d.type !== 'generic') continue
        expect(ours.description.aborted).toBe(d.aborted)
        expect(ours.description.credit?.credit.grams).toBe(d.creditPhase?.credit.coins)
        expect(ours.description.storage?.feesCollected).toBe(d.storagePhase?.storageFeesCollected)
        const { compute } = ours.description
        if (compute.kind === 'vm' && d.computePhase.type === 'vm')
          expect([compute.gasUsed, compute.exitCode, compute.vmSteps, compute.gasFees]).toEqual([
            d.computePhase.gasUsed,
            d.computePhase.exitCode,
            d.computePhase.vmSteps,
            d.computePhase.gasFees,
          ])
        else expect(compute.kind).toBe(d.computePhase.type)
        expect(ours.description.action?.totalActions).toBe(d.actionPhase?.totalActions)
        expect(ours.description.bounce?.kind).toBe(
          d.bouncePhase && { ok: 'ok', 'no-funds': 'noFunds', 'negative-funds': 'negativeFunds' }[d.bouncePhase.type],
        )
      }
  })

  test('behavior: both halves of the state update read as states with holes', () => {
    const [before, after] = block.stateUpdate.refs.map((half) => virtualize(half))
    if (before === undefined || after === undefined) throw new Error('the block has no state update')
    const info = blockInfoOf(block)
    const state = loadShardState(openCell(after))
    expect([state.seqno, state.genLt, shardOf(state.shard)]).toEqual([info.seqno, info.endLt, shardOf(info.shard)])
    roundTrip(after, loadShardState, storeShardState)
    if (info.previous.length === 2) roundTrip(before, loadSplitState, storeSplitState)
    else expect(loadStates(openCell(before)).map(({ seqno }) => seqno)).toEqual([info.previous[0].seqno])
    const details = roundTrip(state.details, loadShardStateDetails, storeShardStateDetails)
    const flow = blockValueFlowOf(block)
    expect(details.totalBalance.grams).toBe(flow.toNext.grams)
    expect(stateDetailsOf(state).underloadHistory).toBe(details.underloadHistory)
    const accounts = accountsOf(state)
    expect(accounts.extra?.balance.grams).toBe(flow.toNext.grams)
    for (const [id, { stateUpdate }] of accountBlocksOf(extra)) {
      const entry = accounts.get(id)
      if (entry === undefined) continue
      expect(hex(stateUpdate.after)).toBe(entry.account.hashHex())
      const account = roundTrip(entry.account, loadAccount, storeAccount)
      expect(depthBalanceOf(entry.account).balance.grams).toBe(account?.storage.balance.grams ?? 0n)
    }
    expect(masterStateOf(state) === null).toBe(info.shard.workchain !== -1)
  })

  test('behavior: public libraries are found in the new state, though most of them are cut off', () => {
    const [, after = root] = block.stateUpdate.refs
    const { libraries } = stateDetailsOf(loadShardState(openCell(virtualize(after))))
    for (const [id, publishers] of Object.entries(facts.Libraries)) {
      const found = libraries.get(new Uint8Array(Buffer.from(id, 'hex')))
      expect([...(found?.publishers.keys() ?? [])].map(hex)).toEqual(Object.keys(publishers))
    }
  })

  test('behavior: what only the masterchain has', () => {
    const master = masterExtraOf(extra)
    if (extra.custom === null || master === null) {
      expect(blockInfoOf(block).shard.workchain).toBe(0)
      return
    }
    roundTrip(extra.custom, loadMasterBlockExtra, storeMasterBlockExtra)
    expectRebuilt(master.shardFees)
    for (const [, tree] of master.shardHashes) {
      const shards = [...shardsOf(tree)]
      expect(makeShardTree(shards).hash()).toBe(tree.hash())
      for (const [shard, description] of shards) {
        expect(findShard(tree, shard)).toEqual([shard, description])
        expect(findShard(tree, shard - 1n)[0]).toBe(shard)
      }
    }
    for (const special of [master.recoverCreate, master.mint])
      if (special !== null) roundTrip(special, loadInMsg, storeInMsg)
  })

  test('behavior: the root is the block @ton/core sees', () => {
    expect(
      CoreCell.fromBoc(Buffer.from(blockBytes(name)))[0]
        ?.hash()
        .toString('hex'),
    ).toBe(root.hashHex())
  })
})
