// A multisig with a thousand orders: others have their turns while its orders are gone through, and an account that is in
// all of them is looked up once.

import { expect, test } from 'vitest'
import { beginCell, buildDict, dictKind, NO_CRC, refValue, uintKey, writeBoc } from '../../../server/cell/index.ts'
import { NO_MODIFIERS } from '../../../server/methods/index.ts'
import { charsOfKey } from '../../../server/methods/keyOfAccount.ts'
import { multisigHandlers } from '../../../server/methods/v3/assets/multisigs.ts'
import { createSideObjects } from '../../../server/methods/v3/names/sideObjects.ts'
import { type AccountKey, type Sql, sql } from '../../../server/store/index.ts'
import { openMemoryStore, PATIENCE_MS } from '../../setup/memoryStore.ts'
import { restingAlways, turnsOf } from '../../setup/othersTurns.ts'

const ORDERS = 1000
const SIGNERS = 3

const account = (byte: number): AccountKey => Buffer.from([0x80, ...Buffer.alloc(32, byte)])
const WALLET = account(1)
const HASH = Buffer.alloc(32)
const signers = Array.from({ length: SIGNERS }, (_, i) => account(10 + i))

async function filledStore(order: Uint8Array) {
  const store = await openMemoryStore()
  await store.transaction(async (to) => {
    await to.query(sql`insert into multisigs (account, code_hash, data_hash, last_tx_lt, next_order_seqno, threshold,
      signers, proposers) values (${WALLET}, ${HASH}, ${HASH}, 1, ${ORDERS}::int8, 2, ${signers}::bytea[], '{}')`)
    await to.query(sql`insert into multisig_orders (account, code_hash, data_hash, last_tx_lt, multisig, order_seqno,
      threshold, sent_for_execution, approvals_mask, approvals_num, expiration_date, signers, order_boc)
      select '\\x80'::bytea || sha256(g::text::bytea), ${HASH}, ${HASH}, g, ${WALLET}, g, 2, false, 1, 1, 1,
        ${signers}::bytea[], ${order} from generate_series(1, ${ORDERS}::int4) g`)
  })
  return store
}

const callOf = ({ signal }: AbortController) => ({
  caller: { subject: 'test', keyId: null, tier: null },
  requestId: 'test',
  signal,
  timeoutMs: PATIENCE_MS,
  modifiers: NO_MODIFIERS,
})

test('others have their turns, and each account is asked for once', async () => {
  const store = await filledStore(HASH)
  let named: readonly AccountKey[] = []
  const { turns } = await turnsOf(async (anew) => {
    const answering: Sql = {
      async query(...asked) {
        const rows = await store.read.query(...asked)
        anew()
        return rows as never
      },
    }
    const side = createSideObjects({ store: answering, testOnly: true })
    const ended = new Error('what follows is not looked at')
    const handlers = multisigHandlers(answering, {
      ...side,
      addressBook: (accounts) => {
        named = [...accounts]
        return Promise.reject(ended)
      },
    })
    const params = { address: [WALLET], include_orders: true, limit: 1, offset: 0, sort: 'desc' } as const
    const call = callOf(new AbortController())
    await expect(handlers['v3.multisig.wallets'](params as never, call)).rejects.toBe(ended)
  })
  expect(turns).toBeGreaterThanOrEqual(ORDERS)
  expect(new Set(named.map(charsOfKey)).size).toBe(1 + SIGNERS + ORDERS)
  expect(named.length).toBeLessThan(2 * ORDERS)
  await store.close()
})

test('actions of orders are not gone through for a caller who is gone', async () => {
  const action = beginCell().storeUint(7, 32).end()
  const { root } = buildDict(dictKind(uintKey(8), refValue), [[0, action]])
  const store = await filledStore(writeBoc(root ?? action, NO_CRC))
  const controller = new AbortController()
  const gone = new Error('the caller is gone')
  const leaving: Sql = {
    async query(...asked) {
      const rows = await store.read.query(...asked)
      controller.abort(gone)
      return rows as never
    },
  }
  const side = createSideObjects({ store: leaving, testOnly: true })
  const handlers = multisigHandlers(leaving, { ...side, addressBook: () => Promise.resolve({}) })
  const params = { multisig_address: [WALLET], parse_actions: true, limit: 2, offset: 0, sort: 'desc' } as const
  const answer = restingAlways(async () => handlers['v3.multisig.orders'](params as never, callOf(controller)))
  await expect(answer).rejects.toBe(gone)
  await store.close()
})
