// The index of an embedded chain that is read through its lite server: contracts of the chain's own code.

import { expect, test } from 'vitest'
import { createClient } from '../../../../client/index.ts'
import { beginCell, writeBocText } from '../../../../server/cell/index.ts'
import { vestingWallet } from '../../../../server/demo/contracts/index.ts'
import { initOf } from '../../../../server/devchain/contracts/deployment.ts'
import { storeStateInit } from '../../../../server/tlb/index.ts'
import { ask } from '../../../setup/calls.ts'
import { serve } from '../../../setup/service.ts'
import { eventually } from '../../../setup/streams.ts'
import { VESTING_TERMS } from '../../../setup/vestingTerms.ts'
import { person, raw } from '../../devchain/contracts/network.ts'

test('a vesting wallet is listed by the owner of the chain and by a service over its lite port', async () => {
  const wallet = vestingWallet({
    ...VESTING_TERMS,
    totalAmount: 50n,
    sender: person(1),
    owner: person(2),
  })
  await using owner = await serve({ withIndex: true, config: { litePort: '0' } })
  const liteservers = `${owner.url}/global.config.json`
  const config = { network: 'custom', liteservers, limits: 'off', indexFrom: '1' } as const
  await using second = await serve({ withIndex: true, config })
  await createClient({ url: owner.url }).dev.sendInternal({
    from: raw(person(1)),
    to: raw(wallet.address),
    value: '1000000000',
    init: writeBocText(storeStateInit(beginCell(), initOf(wallet)).end()),
    bounce: false,
  })
  const path = `/api/v3/vesting?contract_address=${encodeURIComponent(raw(wallet.address))}`
  const listed = async (where: typeof owner): Promise<unknown> => {
    const { body } = await ask(where, path)
    const [row] = (body.vesting_contracts ?? []) as readonly unknown[]
    return row
  }
  const row = await eventually(() => listed(owner))
  expect(row).toMatchObject({ total_amount: '50' })
  const account = `/api/v3/accountStates?address=${encodeURIComponent(raw(wallet.address))}`
  await eventually(async () => {
    const { accounts = [] } = (await ask(second, account)).body
    return (accounts as readonly unknown[]).length > 0 || undefined
  })
  expect(await listed(second)).toEqual(row)
})
