import { describe, expect, test } from 'vitest'
import { toContractState } from '../../../client/ton/contractState.ts'
import { registry } from '../../../shared/registry.ts'

const { result } = registry.getAddressInformation.example
const HASH = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='

describe('an account', () => {
  test('active, with extra currencies', () => {
    expect(toContractState(result)).toEqual({
      balance: 1592537933889674n,
      extracurrency: { 239: 664333333334n },
      last: { lt: 47670702000009n, hash: Buffer.from(HASH, 'base64') },
      state: { type: 'active', code: Buffer.from(result.code, 'base64'), data: Buffer.from(result.data, 'base64') },
    })
  })

  test('active without data', () => {
    expect(toContractState({ ...result, data: '' }).state).toMatchObject({ data: null })
  })

  test('frozen: the hash of what it was', () => {
    const frozen = { ...result, state: 'frozen' as const, code: '', data: '', frozen_hash: HASH }
    expect(toContractState(frozen).state).toEqual({ type: 'frozen', stateHash: Buffer.from(HASH, 'base64') })
  })

  test('an unused address', () => {
    const last = { ...result.last_transaction_id, lt: '0' as const }
    const none = { ...result, balance: '0' as const, extra_currencies: [], last_transaction_id: last }
    expect(toContractState({ ...none, state: 'uninitialized', code: '', data: '' })).toEqual({
      balance: 0n,
      extracurrency: null,
      last: null,
      state: { type: 'uninit' },
    })
  })
})
