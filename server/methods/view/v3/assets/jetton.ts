// Jettons and what holds them as v3 writes them.

import { toBase64 } from '../../../../../shared/base64.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { jettons } from '../../../../../shared/v3/assets/jettons.ts'
import type { JettonMasterRow, JettonWalletRow } from '../../../../store/index.ts'
import { rawOfKey } from '../../../accountKey.ts'
import { toDigits } from '../../digits.ts'
import { contractFields, rawOrNull, toContent } from './fields.ts'

type Methods = typeof jettons
type Master = Result<Methods['v3.jetton.masters']>['jetton_masters'][number]
type Wallet = Result<Methods['v3.jetton.wallets']>['jetton_wallets'][number]

export const toJettonMaster = (row: JettonMasterRow): Master => ({
  address: rawOfKey(row.account),
  total_supply: toDigits(row.totalSupply),
  mintable: row.mintable,
  admin_address: rawOrNull(row.admin),
  jetton_content: toContent(row.content),
  jetton_wallet_code_hash: toBase64(row.walletCodeHash),
  ...contractFields(row),
})

/** Amounts that are claimed with a proof lie outside the chain: none is known. */
export const toJettonWallet = (row: JettonWalletRow): Wallet => ({
  address: rawOfKey(row.account),
  balance: toDigits(row.balance),
  owner: rawOfKey(row.owner),
  jetton: rawOfKey(row.jetton),
  ...contractFields(row),
})
