// A multisig with a thousand orders: others have their turns while its orders are gone through, and an account that is in
// all of them is looked up once.

import { expect, test } from 'vitest'
import { NO_MODIFIERS } from '../../../server/methods/index.ts'
import { charsOfKey } from '../../../server/methods/keyOfAccount.ts'
import { multisigHandlers } from '../../../server/methods/v3/assets/multisigs.ts'
import { createSideObjects } from '../../../server/methods/v3/names/sideObjects.ts'
import { type AccountKey, type Sql, sql } from '../../../server/store/index.ts'
import { openMemoryStore, PATIENCE_MS } from '../../setup/memoryStore.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const ORDERS = 1000
const SIGNERS = 3

const account = (byte: number): AccountKey => Buffer.from([0x80, ...Buffer.alloc(32, byte)])
const WALLET = account(1)
const HASH = Buffer.alloc(32)
const signers = Array.from({ length: SIGNERS }, (_, i) => account(10 + i))

test('others have their turns, and each account is asked for once', async () => {
  const store = await openMemoryStore()
  await store.transaction(async (to) => {
    await to.query(sql`insert into multisigs (account, code_hash, data_hash, last_tx_lt, next_order_seqno, threshold,
      signers, proposers) values (${WALLET}, ${HASH}, ${HASH}, 1, ${ORDERS}::int8, 2, ${signers}::bytea[], '{}')`)
    await to.query(sql`insert into multisig_orders (account, code_hash, data_hash, last_tx_lt, multisig, order_seqno,
      threshold, sent_for_execution, approvals_mask, approvals_num, expiration_date, signers, order_boc)
      select '\\x80'::bytea || sha256(g::text::bytea), ${HASH}, ${HASH}, g, ${WALLET}, g, 2, false, 1, 1, 1,
        ${signers}::bytea[], ${HASH} from generate_series(1, ${ORDERS}::int4) g`)
  })
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
    const { signal } = new AbortController()
    const caller = { subject: 'test', keyId: null, tier: null }
    const call = { caller, requestId: 'test', signal, timeoutMs: PATIENCE_MS, modifiers: NO_MODIFIERS }
    await expect(handlers['v3.multisig.wallets'](params as never, call)).rejects.toBe(ended)
  })
  expect(turns).toBeGreaterThanOrEqual(ORDERS)
  expect(new Set(named.map(charsOfKey)).size).toBe(1 + SIGNERS + ORDERS)
  expect(named.length).toBeLessThan(2 * ORDERS)
  await store.close()
})
