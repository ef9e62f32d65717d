// A wallet of the embedded chain that has TON from the start, with its key.

import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import type { Client } from '../../client/index.ts'

export async function fundedWallet(client: Pick<Client, 'dev'>) {
  const { accounts } = await client.dev.state()
  const { mnemonic = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
  const { publicKey, secretKey } = await mnemonicToPrivateKey(mnemonic.split(' '))
  return { wallet: WalletContractV4.create({ workchain: 0, publicKey }), secretKey }
}
