// Changing keys on a full or read-only disk: the error says what is wrong with the disk.

import { expect, test } from 'vitest'
import { builtInPlans, createFileKeyStore, createFileUsageStore } from '../../../../server/access/index.ts'
import { createKeysService, defaultLimits } from '../../../../server/http/index.ts'
import { temporaryFolder } from '../../../setup/children.ts'

const TOKEN = 'a-token-of-an-operator'

async function refusalFor(code: string): Promise<unknown> {
  const folder = await temporaryFolder()
  const failure = Object.assign(new Error(`${code}: write '${folder}'`), { code })
  const serve = createKeysService({
    access: { peek: () => null },
    keys: Object.assign(createFileKeyStore(folder), { create: () => Promise.reject(failure) }),
    plans: builtInPlans,
    usage: createFileUsageStore(folder),
    options: { adminToken: TOKEN, network: 'devnet', limits: defaultLimits },
    failures: () => Promise.resolve([]),
  })
  const caller = { subject: 'own', keyId: null, tier: null }
  const request = { verb: 'POST', path: '/api/admin/keys', query: '', body: '{"plan":"free"}', token: TOKEN }
  return await serve({ ...request, caller, isControl: false }).catch((error: unknown) => error)
}

test.each([
  ['ENOSPC', 'diskFull', 'keys cannot be changed: no space is left on the disk'],
  ['EDQUOT', 'diskFull', 'keys cannot be changed: no space is left in the quota'],
  ['EROFS', 'busy', 'keys cannot be read or changed: the disk is read-only'],
])('error: %s', async (code, kind, message) => {
  expect(await refusalFor(code)).toMatchObject({ kind, message })
})
