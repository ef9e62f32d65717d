// A living chain, block by block: what its blocks say of accounts, transactions and messages is what its lite server says.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCell, readBoc, writeBoc } from '../../../../server/cell/index.ts'
import {
  accountKey,
  accountKeyText,
  accountsOfState,
  type BlockFacts,
  codeRow,
  completeData,
  type ParsedAccount,
  parseBlock,
} from '../../../../server/facts/index.ts'
import { parsedOutcome } from '../../../../server/facts/parse/outcome.ts'
import type { AccountId, BlockIdExt } from '../../../../server/node/index.ts'
import { verifyAccount, verifyShards } from '../../../../server/node/verify/index.ts'
import type { WrittenMessage } from '../../../../server/store/index.ts'
import { loadTransaction } from '../../../../server/tlb/index.ts'
import { verifyBlock } from '../../../setup/verifyAtOnce.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { hex } from './namedBlocks.ts'

interface Parsed {
  readonly id: BlockIdExt
  readonly facts: BlockFacts
}

let scene: LiteScene
/** Of both chains, in order of time. */
let blocks: Parsed[]

async function parsed(id: BlockIdExt): Promise<Parsed> {
  const bytes = await scene.lite.block(id)
  const mcSeqno = id.workchain === -1 ? id.seqno : (scene.chain.reader.registeredBy(id.seqno)?.id.seqno ?? 0)
  const { root } = verifyBlock(id, bytes)
  return { id, facts: parseBlock(id, root, { mcSeqno }) }
}

beforeAll(async () => {
  scene = await openScene({ messages: 120, seed: 11 })
  const ids = [...scene.blocks(0), ...scene.blocks(-1)]
  blocks = await Promise.all(ids.map(parsed))
  blocks.sort((a, b) => (a.facts.block.startLt < b.facts.block.startLt ? -1 : 1))
})
afterAll(() => scene.close())

const nameOf = (account: Uint8Array): AccountId => ({ workchain: (account[0] ?? 0) - 128, hash: account.slice(1) })
const all = () => blocks.flatMap(({ facts }) => facts.transactions)
const allMessages = () => blocks.flatMap(({ facts }) => facts.messages)

describe('accounts', () => {
  test('after each block are what the lite server shows', async () => {
    for (const { id, facts } of blocks)
      for (const one of facts.accounts) {
        const shown = verifyAccount(id, nameOf(one.account), await scene.lite.accountState(id, nameOf(one.account)))
        const { account, shardAccount } = shown
        if (one.state === 'incomplete') throw new Error('No account here has extra currencies')
        expect(one.state.status).toBe(account?.storage.state.kind ?? 'nonexist')
        expect(one.state.balance).toBe(account?.storage.balance.grams ?? 0n)
        if (account === null || shardAccount === null) continue
        expect(hex(one.hash)).toBe(shardAccount.account.hashHex())
        expect([hex(one.lastTxHash), one.lastTxLt]).toEqual([hex(shardAccount.lastTransHash), shardAccount.lastTransLt])
        const init = account.storage.state.kind === 'active' ? account.storage.state.init : null
        expect(hex(one.state.codeHash)).toBe(init?.code?.hashHex() ?? null)
        expect(hex(one.state.dataHash)).toBe(init?.data?.hashHex() ?? null)
        if (one.data !== 'incomplete') expect(one.data).toEqual(init?.data ? writeBoc(init.data, 0) : null)
        if (one.code !== 'incomplete') expect(one.code?.hashHex() ?? null).toBe(init?.code?.hashHex() ?? null)
      }
  })

  test('of a state, changed by every block, are those of the newest state', async () => {
    const now = new Map<string, ParsedAccount>()
    const { master, base } = scene.chain.reader.zerostates
    for (const zero of [master, base])
      for (const one of accountsOfState(zero.boc)) now.set(accountKeyText(one.account), one)
    expect(now.size).toBeGreaterThan(5)
    let unknown = 0
    for (const { facts } of blocks)
      for (const one of facts.accounts) {
        const before = now.get(accountKeyText(one.account))?.data ?? null
        let { data } = one
        if (data === 'incomplete' && one.shownData !== null && before !== null && before !== 'incomplete')
          data = completeData(one.shownData, [before]) ?? 'incomplete'
        if (data === 'incomplete') unknown++
        if (one.state !== 'incomplete' && one.state.status === 'nonexist') now.delete(accountKeyText(one.account))
        else now.set(accountKeyText(one.account), { ...one, data })
      }
    const newest = [scene.blocks(-1), scene.blocks(0)].flatMap((chain) => chain.at(-1) ?? [])
    const found = new Map<string, ParsedAccount>()
    for (const id of newest)
      for (const one of accountsOfState((await scene.lite.state(id)).data)) found.set(accountKeyText(one.account), one)
    expect([...now.keys()].sort()).toEqual([...found.keys()].sort())
    for (const [name, one] of found) {
      const { code, shownData, data, before, ...rest } = one
      expect(now.get(name)).toMatchObject(rest)
      const kept = now.get(name)?.data
      if (kept !== 'incomplete') expect(kept).toEqual(data)
    }
    // The node is queried only for accounts that were created with data known from others.
    expect(unknown).toBeLessThan(now.size / 4)
  })

  test('are shown as they were before each block, too', () => {
    const now = new Map<string, ParsedAccount>()
    const { master, base } = scene.chain.reader.zerostates
    for (const zero of [master, base])
      for (const one of accountsOfState(zero.boc)) now.set(accountKeyText(one.account), one)
    let seen = 0
    for (const { facts } of blocks)
      for (const one of facts.accounts) {
        const name = accountKeyText(one.account)
        const known = now.get(name)?.state ?? null
        expect(one.before).toEqual(known === 'incomplete' || known?.status === 'nonexist' ? null : known)
        now.set(name, one)
        if (one.before === null) continue
        seen++
        const first = facts.transactions.find(({ account }) => accountKeyText(account) === name)
        if (first !== undefined) expect(hex(one.before.hash)).toBe(hex(first.stateBefore))
        else expect(hex(one.before.hash)).not.toBe(hex(one.hash))
      }
    expect(seen).toBeGreaterThan(100)
  })

  test('have code whose rows say what it is', () => {
    const codes = blocks.flatMap(({ facts }) =>
      facts.accounts.flatMap(({ code }) => (code === null || code === 'incomplete' ? [] : [code])),
    )
    const rows = codes.map(codeRow)
    expect(rows.some(({ interfaces }) => interfaces.includes('wallet_v3r2'))).toBe(true)
    for (const [i, row] of rows.entries()) {
      expect(Buffer.from(row.boc).toString('base64')).toMatch(/^te6ccg/)
      expect(readBoc(row.boc).hashHex()).toBe(codes[i]?.hashHex())
    }
  })
})

describe('transactions', () => {
  test('are those the lite server finds', async () => {
    for (const { id, facts } of blocks) {
      const touched = await scene.touched(id)
      const expected = touched.flatMap(({ account, lts }) =>
        lts.map((lt) => `${accountKeyText(accountKey(id.workchain, account.hash))} ${lt}`),
      )
      expect(facts.transactions.map(({ account, lt }) => `${accountKeyText(account)} ${lt}`).sort()).toEqual(
        expected.sort(),
      )
      const [one] = facts.transactions
      if (one === undefined) continue
      const { transaction } = await scene.lite.oneTransaction(id, { account: nameOf(one.account), lt: one.lt })
      const value = loadTransaction(openCell(readBoc(transaction)))
      expect(hex(one.hash)).toBe(readBoc(transaction).hashHex())
      expect([one.now, one.totalFees, one.prevLt]).toEqual([value.now, value.totalFees.grams, value.prevLt])
    }
  })

  test('of all kinds happened', () => {
    const texts = all().map(({ description }) => JSON.parse(description))
    const kinds = new Set(texts.map(({ type }) => type))
    expect([...kinds].sort()).toEqual(['ord', 'tick_tock'])
    expect(texts.some(({ bounce }) => bounce?.type === 'ok')).toBe(true)
    expect(texts.some(({ compute_ph }) => compute_ph.reason === 'no_state')).toBe(true)
    expect(texts.some(({ action }) => action?.skipped_actions > 0)).toBe(true)
  })

  test('show their outcome without being parsed', () => {
    for (const { description } of all()) {
      const { type, aborted, compute_ph } = JSON.parse(description)
      expect(parsedOutcome(description)).toEqual({
        isTickTock: type === 'tick_tock',
        aborted,
        lackedGas: compute_ph.reason === 'no_gas',
        exitCode: compute_ph.exit_code ?? null,
      })
    }
  })

  test('lead from state to state', () => {
    const last = new Map<string, string | null>()
    for (const { facts } of blocks) {
      for (const one of facts.transactions) {
        const name = accountKeyText(one.account)
        if (last.has(name) && one.prevLt !== 0n) expect(hex(one.stateBefore)).toBe(last.get(name))
        last.set(name, hex(one.stateAfter))
      }
      for (const { account, hash } of facts.accounts) {
        const name = accountKeyText(account)
        if (facts.transactions.some((one) => accountKeyText(one.account) === name))
          expect(hex(hash)).toBe(last.get(name))
        last.set(name, hex(hash))
      }
    }
  })
})

describe('messages', () => {
  test('are consumed as they were produced', () => {
    const produced = new Map<string | null, WrittenMessage>()
    for (const row of allMessages()) if (row.outTxHash !== null) produced.set(hex(row.hash), row)
    let met = 0
    for (const { inMessage } of all()) {
      const sent = inMessage === null ? undefined : produced.get(hex(inMessage.hash))
      if (sent === undefined || inMessage === null) continue
      met++
      expect({ ...inMessage, outTxHash: sent.outTxHash, outLt: sent.outLt }).toEqual(sent)
    }
    expect(met).toBeGreaterThan(100)
    for (const { outMessages } of all())
      for (const { kind, destination } of outMessages) expect(destination === null).toBe(kind === 'externalOut')
  })

  test('have flags instead of a routing fee', () => {
    const internal = allMessages().filter(({ kind }) => kind === 'internal')
    expect(internal.length).toBeGreaterThan(100)
    expect(internal.every(({ ihrFee, extraFlags }) => ihrFee === 0n && extraFlags === 0n)).toBe(true)
  })
})

describe('blocks', () => {
  test('name the ones before them', () => {
    const known = new Set(blocks.map(({ facts: { block } }) => `${block.workchain} ${block.seqno}`))
    for (const { facts } of blocks)
      for (const { workchain, seqno } of facts.block.prevBlocks)
        expect(seqno === 0 || known.has(`${workchain} ${seqno}`)).toBe(true)
  })

  test('of the masterchain name the newest ones of the shards, and key blocks the protocol', async () => {
    for (const { id, facts } of blocks) {
      if (id.workchain !== -1) {
        expect(facts.master).toBeNull()
        continue
      }
      const tops = verifyShards(id, await scene.lite.shards(id))
      expect(facts.master?.shardTops).toEqual(tops.map((top) => top.id))
      expect(facts.master?.globalVersion === null).toBe(!facts.block.keyBlock)
    }
    expect(blocks.filter(({ facts }) => facts.master?.globalVersion != null).length).toBeGreaterThan(1)
  })
})
