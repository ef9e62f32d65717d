// The usage of keys while its database does not answer.

import { expect, test } from 'vitest'
import { createSqlUsageStore, type KeyStore, type PlanStore } from '../../../../server/access/index.ts'
import { createKeysService } from '../../../../server/http/keys/keysService.ts'
import { StoreError } from '../../../../server/store/index.ts'

const TOKEN = 'a-token-of-an-operator'
const AWAY = 'The database cannot be reached (10.0.0.7:5432/tonrpc)'
const away = () => Promise.reject(new StoreError('unavailable', AWAY))

test('is a 503 that says to try again, and names the database to operators alone', async () => {
  // The casts: of these nothing is called here.
  const service = createKeysService({
    access: { peek: () => null },
    keys: {} as KeyStore,
    plans: {} as PlanStore,
    usage: createSqlUsageStore({ read: { query: away }, transaction: away }),
    options: { adminToken: TOKEN, network: 'devnet' } as Parameters<typeof createKeysService>[0]['options'],
    failures: () => Promise.resolve([]),
  })
  const caller = { subject: 'key a', keyId: 'a', label: null, tier: null } as never
  const request = { verb: 'GET', query: '', body: '', token: '', caller, isControl: false }
  const own = service({ ...request, path: '/api/keys/me' })
  await expect(own).rejects.toMatchObject({ kind: 'busy', message: 'The usage of keys cannot be read now' })
  await expect(own).rejects.toMatchObject({ data: { retryAfter: 1 } })
  const all = service({ ...request, path: '/api/admin/usage', token: TOKEN })
  const words = `The usage of keys in the database cannot be read or changed: ${AWAY}`
  await expect(all).rejects.toMatchObject({ kind: 'busy', message: words })
})
