// Jettons and what holds them as v3 writes them.

import { toBase64 } from '../../../../../shared/base64.ts'
import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { jettonsV3 } from '../../../../../shared/v3/assets/jettons.ts'
import type { JettonMasterRow, JettonWalletRow, Owed } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'
import { contractFieldsOf, rawOrNull, toContent } from './fields.ts'

type Methods = typeof jettonsV3
type Master = Result<Methods['v3.jetton.masters']>['jetton_masters'][number]
type Wallet = Result<Methods['v3.jetton.wallets']>['jetton_wallets'][number]

export const toJettonMaster = (row: JettonMasterRow): Master => ({
  address: rawOfKey(row.account),
  total_supply: toDigits(row.totalSupply),
  mintable: row.mintable,
  admin_address: rawOrNull(row.admin),
  jetton_content: toContent(row.content),
  jetton_wallet_code_hash: toBase64(row.walletCodeHash),
  ...contractFieldsOf(row),
})

/** Addresses of services with proofs, of the JSON that a description has for them; null for none. */
function proofsIn(json: string | null): string[] | null {
  const said: unknown = json === null ? null : JSON.parse(json)
  const all: readonly unknown[] = Array.isArray(said) ? said : [said]
  const texts = all.filter((one) => typeof one === 'string')
  return texts.length === 0 ? null : texts
}

const mintlessInfo = ({ amount, startFrom, expireAt, proofs }: Owed): NonNullable<Wallet['mintless_info']> => ({
  amount: toDigits(amount),
  start_from: Number(startFrom),
  expire_at: Number(expireAt),
  custom_payload_api_uri: proofsIn(proofs),
})

/** With what its owner can still claim. */
export const toJettonWallet = (row: JettonWalletRow, owed: Owed | null): Wallet => ({
  address: rawOfKey(row.account),
  balance: toDigits(row.balance),
  owner: rawOfKey(row.owner),
  jetton: rawOfKey(row.jetton),
  ...contractFieldsOf(row),
  ...(owed === null ? {} : { mintless_info: mintlessInfo(owed) }),
})
