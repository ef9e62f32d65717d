// Which token a contract is: it is asked as each of the four in turn, and what it says of others is asked of them. Only
// a master knows its wallets, only a collection its items.

import { addressAt, addressValue, cellAt, intAt, type Results } from '../stack/results.ts'
import { intValue } from '../stack/stackValue.ts'
import type { AccountName, Contracts } from '../tvm/contracts.ts'
import { contentOf, itemContent } from './content.ts'
import type { JettonMaster, JettonWallet, NftCollection, NftItem, TokenFacts } from './tokenFacts.ts'

type Detector = (contracts: Contracts, name: AccountName) => Promise<TokenFacts | null>

/** Whether a method gave the address of an account. */
function gives(stack: Results | null, { workchain, hash }: AccountName): boolean {
  const address = stack && addressAt(stack, 0)
  return address?.workchain === workchain && Buffer.compare(address.hash, hash) === 0
}

async function jettonMaster(contracts: Contracts, name: AccountName): Promise<JettonMaster | null> {
  const stack = await contracts.results(name, 'get_jetton_data')
  if (stack === null) return null
  const [totalSupply, mintable, admin] = [intAt(stack, 0), intAt(stack, 1), addressAt(stack, 2)]
  const [content, walletCode] = [contentOf(cellAt(stack, 3)), cellAt(stack, 4)]
  if (totalSupply === undefined || mintable === undefined || admin === undefined) return null
  if (content === null || walletCode === undefined) return null
  return { kind: 'jettonMaster', totalSupply, mintable: mintable !== 0n, admin, content, walletCode }
}

async function isClaimed(contracts: Contracts, name: AccountName): Promise<boolean | null> {
  const stack = await contracts.results(name, 'is_claimed')
  const claimed = stack?.length === 1 ? intAt(stack, 0) : undefined
  return claimed === undefined ? null : claimed !== 0n
}

async function jettonWallet(contracts: Contracts, name: AccountName): Promise<JettonWallet | null> {
  const stack = await contracts.results(name, 'get_wallet_data')
  if (stack === null) return null
  const [balance, owner, master] = [intAt(stack, 0), addressAt(stack, 1), addressAt(stack, 2)]
  const walletCode = cellAt(stack, 3)
  if (balance === undefined || owner == null || master == null || walletCode === undefined) return null
  if (!gives(await contracts.results(master, 'get_wallet_address', [addressValue(owner)]), name)) return null
  const claimed = await isClaimed(contracts, name)
  return { kind: 'jettonWallet', balance, owner, master, isClaimed: claimed, walletCode }
}

async function nftCollection(contracts: Contracts, name: AccountName): Promise<NftCollection | null> {
  const stack = await contracts.results(name, 'get_collection_data')
  if (stack === null) return null
  const [nextIndex, content, owner] = [intAt(stack, 0), contentOf(cellAt(stack, 1)), addressAt(stack, 2)]
  if (nextIndex === undefined || content === null || owner === undefined) return null
  return { kind: 'nftCollection', nextIndex, owner, content }
}

async function nftItem(contracts: Contracts, name: AccountName): Promise<NftItem | null> {
  const stack = await contracts.results(name, 'get_nft_data')
  if (stack === null) return null
  const [init, index, collection, owner] = [intAt(stack, 0), intAt(stack, 1), addressAt(stack, 2), addressAt(stack, 3)]
  const individual = cellAt(stack, 4)
  if (init === undefined || index === undefined || collection === undefined || owner === undefined) return null
  if (individual === undefined) return null
  if (collection !== null) {
    const known = await contracts.results(collection, 'get_nft_address_by_index', [intValue(index)])
    if (!gives(known, name)) return null
  }
  const content = await itemContent(contracts, { name, collection, index, individual })
  if (content === null) return null
  return { kind: 'nftItem', isInit: init !== 0n, index, collection, owner, content }
}

const DETECTORS: readonly Detector[] = [jettonMaster, jettonWallet, nftCollection, nftItem]

/** The token a contract is; null when it is none, or others do not know it. Throws ApiError for what could not be read. */
export async function detectToken(contracts: Contracts, name: AccountName): Promise<TokenFacts | null> {
  if (!(await contracts.isActive(name))) return null
  for (const detect of DETECTORS) {
    const facts = await detect(contracts, name)
    if (facts !== null) return facts
  }
  return null
}
