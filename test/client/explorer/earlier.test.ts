// The page of an account whose history begins in the network that the chain was forked off.

import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { client, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ACCOUNT = `0:${'77'.repeat(32)}`
const amount = '1000000000'

async function serveFork() {
  const network = await serve({ config: { litePort: '0' } })
  await createClient({ url: network.url }).dev.faucet({ address: ACCOUNT, amount })
  const config = { forkFrom: 'custom', liteservers: `${network.url}/global.config.json` } as const
  const fork = await serve({ withIndex: true, config })
  return {
    ...fork,
    async [Symbol.asyncDispose]() {
      await fork[Symbol.asyncDispose]()
      await network[Symbol.asyncDispose]()
    },
  }
}

inBrowser(serveFork, () => {
  const words = () => page.locator('[role="tabpanel"] .empty').allInnerTexts()

  test('does not say that it has no history, and says where the rest of it is', async () => {
    const before = 'happened here before the index of this service begins.\n\ngetTransactions of v2 reads'
    await client.v3.accountStates({ address: [ACCOUNT] })
    for (const tab of ['history', 'transactions']) {
      await open(`/address/${ACCOUNT}?tab=${tab}`)
      expect(await words()).toEqual([expect.stringContaining(`What ${before}`)])
    }
    // Its newest transaction is one of the network.
    await page.locator('.facts a[href*="/tx/"]').click()
    await page.getByText('a transaction before the index of this service begins').waitFor()
    const { seqno } = await client.dev.faucet({ address: ACCOUNT, amount })
    await untilIndexed(client, seqno)
    for (const tab of ['history', 'transactions']) {
      await open(`/address/${ACCOUNT}?tab=${tab}`)
      expect(await words()).toEqual([expect.stringContaining(`More ${before}`)])
    }
  })

  test('says nothing of the kind where all is shown', async () => {
    const address = `0:${'78'.repeat(32)}`
    const { seqno } = await client.dev.faucet({ address, amount })
    await untilIndexed(client, seqno)
    for (const tab of ['history', 'transactions']) {
      await open(`/address/${address}?tab=${tab}`)
      expect(await words()).toEqual([])
    }
  })
})
