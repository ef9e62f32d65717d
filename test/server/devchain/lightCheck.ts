// A reading of a whole chain by a program that did not make it: every block is taken from its bytes and held against the one
// before, the states, the accounts and the money. What can be read by @ton/core is read by @ton/core.

import { createHash, createPublicKey, verify } from 'node:crypto'
import { Cell as CoreCell, loadTransaction as loadCoreTransaction } from '@ton/core'
import { expect } from 'vitest'
import {
  applyUpdate,
  buildDict,
  type Cell,
  type Dict,
  openCell,
  readBoc,
  sha256,
  writeBoc,
} from '../../../server/cell/index.ts'
import {
  BASECHAIN,
  type ChainState,
  type Devchain,
  type JournalBlock,
  MASTERCHAIN,
  type MasterState,
  signedBytes,
} from '../../../server/devchain/index.ts'
import { readMarks } from '../../../server/devchain/state/index.ts'
import { validatorListHash } from '../../../server/node/index.ts'
import {
  accountBlocksOf,
  addCurrency,
  type Block,
  blockExtraOf,
  blockInfoOf,
  type CurrencyCollection,
  configParam,
  equalCurrency,
  FULL_SHARD,
  findShard,
  gramsOnly,
  inMsgsOf,
  isBalanced,
  loadBlock,
  loadEnvelope,
  loadShardState,
  loadTransaction,
  masterExtraOf,
  masterStateOf,
  type ValueFlow,
  ZERO_CURRENCY,
} from '../../../server/tlb/index.ts'
import { blockValueFlowOf, messageOfInMsg, outMsgsOf } from '../../setup/blockParts.ts'

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')
const NO_ACCOUNT = CoreCell.fromBase64('te6ccgEBAQEAAwAAAUA=').hash().toString('hex')

interface Read {
  readonly facts: JournalBlock
  readonly root: Cell
  readonly block: Block
  readonly boc: Uint8Array
  readonly before: ChainState
  readonly after: ChainState
}

/** Built again from its entries, a dictionary must be the same to the last augmentation. */
function sameWhenRebuilt<K, V, X>(dict: Dict<K, V, X>): void {
  expect(buildDict(dict.kind, [...dict]).root?.hashHex()).toBe(dict.root?.hashHex())
}

async function read(chain: Devchain, facts: JournalBlock): Promise<Read> {
  const { reader } = chain
  const { boc } = await reader.block(facts)
  const root = readBoc(boc, { maxDepth: 1024 })
  const { workchain, seqno } = facts.id
  const stateAt = (at: number) => (workchain === MASTERCHAIN ? reader.masterState(at) : reader.shardState(at))
  return {
    facts,
    root,
    boc,
    block: loadBlock(openCell(root)),
    before: await stateAt(seqno - 1),
    after: await stateAt(seqno),
  }
}

function checkNames({ facts, boc, root, block, after, before }: Read): void {
  expect(hex(Buffer.from(sha256(boc), 'latin1'))).toBe(hex(facts.id.fileHash))
  expect(root.hashHex()).toBe(hex(facts.id.rootHash))
  expect(CoreCell.fromBoc(Buffer.from(boc))[0]?.hash().toString('hex')).toBe(root.hashHex())
  expect(applyUpdate(before.root, block.stateUpdate).hashHex()).toBe(after.root.hashHex())
  // A half with nothing cut off would confuse readers of proofs that cut it off as a whole.
  for (const half of block.stateUpdate.refs) expect(half.mask).toBe(1)
}

async function checkHeader(chain: Devchain, { facts, block, before, after }: Read): Promise<void> {
  const info = blockInfoOf(block)
  expect([info.seqno, info.startLt, info.endLt, info.genUtime]).toEqual([
    facts.id.seqno,
    facts.startLt,
    facts.endLt,
    facts.utime,
  ])
  expect(info.startLt % 1_000_000n).toBe(0n)
  expect(info.startLt).toBeGreaterThan(before.lt)
  expect(after.lt).toBe(info.endLt)
  expect(info.genUtime).toBeGreaterThanOrEqual(before.utime)
  expect(block.globalId).toBe(chain.globalId)
  const [previous] = info.previous
  expect([hex(previous.rootHash), hex(previous.fileHash), previous.seqno, previous.endLt]).toEqual([
    hex(before.id.rootHash),
    hex(before.id.fileHash),
    before.id.seqno,
    before.lt,
  ])
  if (facts.id.workchain === MASTERCHAIN) return
  const reference = info.masterRef
  const registered = chain.reader.registeredBy(facts.id.seqno)
  expect(reference?.seqno).toBe((registered?.id.seqno ?? 0) - 1)
  const master = chain.reader.bySeqno(MASTERCHAIN, reference?.seqno ?? 0)
  expect(hex(reference?.rootHash)).toBe(hex(master?.id.rootHash))
  expect(info.startLt).toBeGreaterThan(master?.endLt ?? 0n)
}

function checkAccounts({ facts, block, before, after }: Read): CoreCell[] {
  const blocks = accountBlocksOf(blockExtraOf(block))
  sameWhenRebuilt(blocks)
  const transactions: CoreCell[] = []
  for (const [id, entry] of blocks) {
    let hash = hex(entry.stateUpdate.before)
    let last = before.accounts.get(id)
    let lastHash = hex(last?.lastTransHash)
    for (const [lt, cell] of entry.transactions) {
      const transaction = loadTransaction(openCell(cell))
      expect(transaction.lt).toBe(lt)
      expect(hex(transaction.account)).toBe(hex(id))
      expect(lt > facts.startLt && lt < facts.endLt).toBe(true)
      expect(hex(transaction.stateUpdate.before)).toBe(hash)
      if (last !== undefined) {
        expect(transaction.prevLt).toBe(last.lastTransLt)
        expect(hex(transaction.prevHash)).toBe(lastHash)
      }
      hash = hex(transaction.stateUpdate.after)
      lastHash = cell.hashHex()
      last = { account: cell, lastTransHash: cell.hashBytes(), lastTransLt: lt }
      const core = CoreCell.fromBoc(Buffer.from(writeBoc(cell)))[0]
      if (core === undefined) throw new Error('unreadable')
      expect(loadCoreTransaction(core.beginParse()).now).toBe(facts.utime)
      transactions.push(core)
    }
    expect(hash).toBe(hex(entry.stateUpdate.after))
    const now = after.accounts.get(id)
    expect(now?.account.hashHex() ?? NO_ACCOUNT).toBe(hash)
    if (now !== undefined) expect(hex(now.lastTransHash)).toBe(lastHash)
  }
  expect(transactions.length).toBe(facts.transactions)
  return transactions
}

function checkMessages({ block }: Read, transactions: readonly CoreCell[]): void {
  const extra = blockExtraOf(block)
  const ins = inMsgsOf(extra)
  const outs = outMsgsOf(extra)
  sameWhenRebuilt(ins)
  sameWhenRebuilt(outs)
  const known = new Set(transactions.map((cell) => cell.hash().toString('hex')))
  for (const [hash, value] of ins) {
    expect(messageOfInMsg(value).hashHex()).toBe(hex(hash))
    if ('transaction' in value) expect(known.has(value.transaction.hashHex())).toBe(true)
  }
  for (const [hash, value] of outs) {
    if ('transaction' in value) expect(known.has(value.transaction.hashHex())).toBe(true)
    if (value.kind === 'immediate') expect(ins.get(hash)?.kind).toBe('immediate')
    if (value.kind === 'dequeuedImmediate') expect(ins.get(hash)?.kind).toBe('final')
    if (value.kind === 'new') expect(loadEnvelope(openCell(value.envelope)).message.hashHex()).toBe(hex(hash))
  }
}

function checkMoney({ facts, block, before, after }: Read): void {
  const flow = blockValueFlowOf(block)
  const extra = blockExtraOf(block)
  expect(isBalanced(flow), `value flow of ${facts.id.workchain}:${facts.id.seqno}`).toBe(true)
  sameAmount(flow.fromPrevious, before.accounts.extra?.balance)
  sameAmount(flow.toNext, after.accounts.extra?.balance)
  sameAmount(flow.toNext, after.details.totalBalance)
  const imported = inMsgsOf(extra).extra
  sameAmount(flow.imported, imported?.valueImported)
  sameAmount(flow.exported, outMsgsOf(extra).extra)
  const fees = [flow.feesImported, flow.created, accountBlocksOf(extra).extra ?? ZERO_CURRENCY]
  sameAmount(flow.feesCollected, addCurrency(fees.reduce(addCurrency), gramsOnly(imported?.feesCollected ?? 0n)))
  const due = addCurrency(before.details.totalValidatorFees, flow.feesCollected)
  sameAmount(addCurrency(after.details.totalValidatorFees, flow.recovered), due)
}

/** Extra currencies included. */
function sameAmount(found: CurrencyCollection, expected: CurrencyCollection = ZERO_CURRENCY): void {
  expect([found.grams, equalCurrency(found, expected)]).toEqual([expected.grams, true])
}

function checkQueue({ block, before, after }: Read): void {
  expect(after.queue.queue.count()).toBe(after.queue.extra?.queueSize ?? 0)
  let expected = before.queue.queue.count()
  for (const value of outMsgsOf(blockExtraOf(block)).values()) {
    if (value.kind === 'new') expected++
    if (value.kind === 'dequeuedShort' || value.kind === 'dequeuedImmediate') expected--
  }
  expect(after.queue.queue.count()).toBe(expected)
}

/** The oldest masterchain block that anything in the state refers to, `others` included. */
function checkReferences({ block, after, facts }: Read, others: readonly number[]): void {
  const info = blockInfoOf(block)
  const marks = readMarks(after.queue.processed).map(({ mcSeqno }) => mcSeqno)
  const oldest = Math.min(info.masterRef?.seqno ?? facts.id.seqno, ...marks, ...others)
  expect([info.minRefMcSeqno, after.minRefMcSeqno]).toEqual([oldest, oldest])
}

const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex')

const validatorsAt = ({ extra }: MasterState) =>
  [...(configParam(extra.config, 34)?.list.values() ?? [])].map(({ publicKey, weight, adnlAddress }) => ({
    publicKey,
    weight,
    adnlAddress: adnlAddress ?? new Uint8Array(32),
  }))

/** What the blocks have made is in the money of all chains. Burned currencies stay in it. */
function checkGlobalBalance(flows: readonly ValueFlow[], before: MasterState, after: MasterState): void {
  const made = flows.flatMap(({ created, minted, burned }) => [created, minted, gramsOnly(-(burned?.grams ?? 0n))])
  sameAmount(after.extra.globalBalance, made.reduce(addCurrency, before.extra.globalBalance))
}

async function checkMaster(chain: Devchain, checked: Read): Promise<void> {
  const { facts, block } = checked
  const { reader } = chain
  const { seqno } = facts.id
  const before: MasterState = await reader.masterState(seqno - 1)
  const after: MasterState = await reader.masterState(seqno)
  const info = blockInfoOf(block)
  const voters = validatorsAt(before)
  const { signatures } = await reader.block(facts)
  const signed = voters.filter(({ publicKey }) => {
    const key = createPublicKey({ key: Buffer.concat([ED25519_DER, publicKey]), format: 'der', type: 'spki' })
    const name = createHash('sha256').update(Buffer.from('c6b41348', 'hex')).update(publicKey).digest()
    const found = signatures.find(({ nodeIdShort }) => name.equals(nodeIdShort))
    return found !== undefined && verify(null, signedBytes(facts.id), key, found.signature)
  })
  expect([signed.length, signatures.length]).toEqual([voters.length, voters.length])
  expect(voters.map(({ publicKey }) => hex(publicKey))).toContain(hex(blockExtraOf(block).createdBy))
  expect(info.catchainSeqno).toBe(before.master.validatorInfo.catchainSeqno)
  expect(info.validatorListHashShort).toBe(validatorListHash(voters, info.catchainSeqno))
  expect(after.master.validatorInfo.listHashShort).toBe(validatorListHash(validatorsAt(after), 0))

  const last = after.master.previousBlocks.get(seqno - 1)
  expect(hex(last?.block.rootHash)).toBe(hex(before.id.rootHash))
  expect(last?.isKey).toBe(before.master.afterKeyBlock)
  expect(after.master.previousBlocks.count()).toBe(seqno)
  expect(info.prevKeyBlockSeqno).toBe(
    before.master.afterKeyBlock ? seqno - 1 : (before.master.lastKeyBlock?.seqno ?? 0),
  )

  // Readers unpack the inner part of the old state at once.
  const [old] = block.stateUpdate.refs
  const shown = old === undefined ? null : masterStateOf(loadShardState(openCell(old)))
  expect(shown?.details.kind).toBe(before.extra.details.kind)

  const extra = masterExtraOf(blockExtraOf(block))
  expect(extra?.config === null).toBe(!info.keyBlock)
  const tree = after.extra.shardHashes.get(BASECHAIN)
  if (tree === undefined) throw new Error('No shards')
  const [name, shard] = findShard(tree, FULL_SHARD)
  expect(name).toBe(FULL_SHARD)
  checkReferences(checked, [shard.minRefMcSeqno])
  const top = shard.seqno === 0 ? reader.zerostates.base.id : reader.bySeqno(BASECHAIN, shard.seqno)?.id
  expect(hex(shard.rootHash)).toBe(hex(top?.rootHash))
  const flow = blockValueFlowOf(block)
  expect(flow.feesImported.grams).toBe(extra?.shardFees.extra?.fees.grams)
  const registered =
    reader.registeredBy(shard.seqno)?.id.seqno === seqno ? reader.bySeqno(BASECHAIN, shard.seqno) : undefined
  const shardFlow = registered === undefined ? [] : [blockValueFlowOf((await read(chain, registered)).block)]
  checkGlobalBalance([flow, ...shardFlow], before, after)
}

/** Reads every block of the chain; gives how many transactions there are. */
export async function checkChain(chain: Devchain): Promise<number> {
  const { reader } = chain
  let total = 0
  for (const workchain of [BASECHAIN, MASTERCHAIN])
    for (let seqno = 1; ; seqno++) {
      const facts = reader.bySeqno(workchain, seqno)
      if (facts === undefined) break
      const block = await read(chain, facts)
      checkNames(block)
      await checkHeader(chain, block)
      const transactions = checkAccounts(block)
      checkMessages(block, transactions)
      checkMoney(block)
      checkQueue(block)
      if (workchain === MASTERCHAIN) await checkMaster(chain, block)
      else checkReferences(block, [])
      total += transactions.length
    }
  return total
}
