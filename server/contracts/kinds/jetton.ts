// Jettons (TEP-74): the master says what there is of them, wallets who has some. Only a master knows its wallets.

import type { Cell, StdAddress } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'
import type { TokenContent } from '../../tlb/index.ts'
import type { Contracts } from '../contracts.ts'
import { addressAt, addressValue, cellAt, intAt } from '../stack/results.ts'
import { contentOf } from './content.ts'
import { type ContractKind, gives } from './kind.ts'

export interface JettonMasterData {
  readonly kind: 'jettonMaster'
  readonly totalSupply: bigint
  readonly mintable: boolean
  readonly admin: StdAddress | null
  readonly content: TokenContent
  readonly walletCode: Cell
  /** Hash of the dictionary of first amounts that owners claim with a proof; null for a jetton that is only minted. */
  readonly airdropRoot: Uint8Array | null
}

export interface JettonWalletData {
  readonly kind: 'jettonWallet'
  readonly balance: bigint
  readonly owner: StdAddress
  readonly master: StdAddress
  /** Null for a wallet that knows no claims. */
  readonly isClaimed: boolean | null
  readonly walletCode: Cell
}

const ROOT_BYTES = 32

async function airdropRoot(contracts: Contracts, id: AccountId): Promise<Uint8Array | null> {
  const stack = await contracts.resultsIfAny(id, 'get_mintless_airdrop_hashmap_root')
  const root = stack === null ? undefined : intAt(stack, 0)
  if (root === undefined || root < 0n) return null
  return Buffer.from(root.toString(16).padStart(2 * ROOT_BYTES, '0'), 'hex')
}

export const jettonMasterKind: ContractKind<JettonMasterData> = {
  methods: ['get_jetton_data'],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_jetton_data')
    if (stack === null) return null
    const totalSupply = intAt(stack, 0)
    const mintable = intAt(stack, 1)
    const admin = addressAt(stack, 2)
    const content = await contentOf(cellAt(stack, 3))
    const walletCode = cellAt(stack, 4)
    if (totalSupply === undefined || mintable === undefined || admin === undefined) return null
    if (content === null || walletCode === undefined) return null
    const facts = { totalSupply, mintable: mintable !== 0n, admin, content, walletCode }
    return { kind: 'jettonMaster', airdropRoot: await airdropRoot(contracts, id), ...facts }
  },
}

export const jettonWalletKind: ContractKind<JettonWalletData> = {
  methods: ['get_wallet_data'],
  async read(contracts, id) {
    const stack = await contracts.results(id, 'get_wallet_data')
    if (stack === null) return null
    const balance = intAt(stack, 0)
    const owner = addressAt(stack, 1)
    const master = addressAt(stack, 2)
    const walletCode = cellAt(stack, 3)
    if (balance === undefined || owner == null || master == null || walletCode === undefined) return null
    if (!gives(await contracts.results(master, 'get_wallet_address', [addressValue(owner)]), id)) return null
    const claimed = await contracts.resultsIfAny(id, 'is_claimed')
    const answer = claimed?.length === 1 ? intAt(claimed, 0) : undefined
    const isClaimed = answer === undefined ? null : answer !== 0n
    return { kind: 'jettonWallet', balance, owner, master, isClaimed, walletCode }
  },
}
