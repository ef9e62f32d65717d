// A Python library for toncenter's v2: a wallet of the embedded chain sends, and the library reads what came of it.

import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import { installPip, python } from '../setup/foreignTools.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve())
const tools = await installPip(['tonutils==2.5.1'])

const SCRIPT = `
import asyncio, sys
from ton_core import Address, NetworkGlobalID
from tonutils.clients import ToncenterClient
from tonutils.contracts import WalletV4R2

async def main(base_url, mnemonic):
    client = ToncenterClient(NetworkGlobalID.TESTNET, base_url=base_url, rps_limit=1000)
    await client.connect()
    wallet, *_ = WalletV4R2.from_mnemonic(client, mnemonic)
    await wallet.refresh()
    print(wallet.address.to_str(is_user_friendly=False), wallet.balance)
    to = Address("0:" + "77" * 32)
    await wallet.transfer(destination=to, amount=1500000000, body="from Python")
    while not (await client.get_info(to)).balance:
        await asyncio.sleep(0.2)
    print((await client.get_info(to)).balance, len(await client.get_transactions(to, limit=5)))
    print((await client.run_get_method(wallet.address, "seqno"))[0])
    print(len(await client.get_config()) > 20)
    await client.close()

asyncio.run(main(sys.argv[1], sys.argv[2]))
`

test('a transfer, its balance, history, get-methods and the configuration', async (context) => {
  tools.require(context)
  const { accounts } = await createClient({ url: service().url, timeoutMs: 300_000 }).dev.state()
  const { address = '', balance = '', mnemonic = '' } = accounts.find(({ name }) => name === 'wallet4') ?? {}
  const { code, text } = await python(tools, tmpdir(), ['-c', SCRIPT, `${service().url}/api/v2`, mnemonic])
  expect(text.trim().split('\n')).toEqual([`${address} ${balance}`, '1500000000 1', '1', 'True'])
  expect(code).toBe(0)
})
