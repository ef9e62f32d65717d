// What a contract that emulated transactions bring to life is by its code, and what it says of itself, since the index does not
// know it yet: an item, a wallet of jettons, an order of a multisig, or what sells an item.

import { toRawUpper } from '../../../shared/address.ts'
import type { AccountFacts, SaleFacts } from '../../actions/index.ts'
import { base64Of } from '../../cell/index.ts'
import {
  type Auction,
  auctionKind,
  type ContractKind,
  type Contracts,
  itemContent,
  jettonWalletKind,
  multisigOrderKind,
  nftItemKind,
  type Sale,
  saleKind,
} from '../../contracts/index.ts'
import { detectInterfaces, methodIdsOf } from '../../interfaces/index.ts'
import type { AccountId } from '../../node/index.ts'
import { hasOneOf, nameOrNull } from './tokenChanges.ts'

type Facts = Partial<AccountFacts>

interface NewKind {
  readonly methods: readonly string[]
  read(contracts: Contracts, id: AccountId): Promise<Facts | null>
}

const kind = <T>(
  { methods, read }: ContractKind<T>,
  said: (found: T, contracts: Contracts) => Facts | null | Promise<Facts | null>,
): NewKind => ({
  methods,
  async read(contracts, id) {
    const found = await read(contracts, id)
    return found === null ? null : await said(found, contracts)
  },
})

const sellerOf = ({ nft, nftOwner, marketplace }: Sale | Auction, price: bigint): SaleFacts => ({
  nft: toRawUpper(nft),
  nftOwner: nameOrNull(nftOwner),
  marketplace: nameOrNull(marketplace),
  price,
})

const KINDS: readonly NewKind[] = [
  kind(nftItemKind, async (item, contracts) => {
    // As in the index, an initialised one without content is none.
    if (item.isInit && (await itemContent(contracts, item)) === null) return null
    const { index, collection, owner } = item
    return { nftItem: { index, collection: nameOrNull(collection), owner: nameOrNull(owner), content: null } }
  }),
  kind(jettonWalletKind, ({ owner, master }) => ({
    jettonWallet: { owner: toRawUpper(owner), jetton: toRawUpper(master) },
  })),
  kind(multisigOrderKind, ({ signers }) => ({ multisigOrder: { signers: signers.map(toRawUpper) } })),
  kind(saleKind, (sale) => {
    const { marketplaceFee, royalty } = sale
    const receivers = { feeAddress: nameOrNull(sale.marketplaceFeeTo), royaltyAddress: nameOrNull(sale.royaltyTo) }
    return { sale: { ...sellerOf(sale, sale.fullPrice), shares: { marketplaceFee, royalty, ...receivers } } }
  }),
  kind(auctionKind, (auction) => ({ auction: sellerOf(auction, auction.lastBid) })),
]

/** Null for what is not active. Of a contract of no such kind, or that nothing confirms, it is what the code shows. */
export async function newContractFacts(contracts: Contracts, id: AccountId): Promise<Facts | null> {
  const contract = await contracts.contract(id)
  if (contract === null) return null
  const { code } = contract
  const shown = {
    codeHash: base64Of(code.hashBytes()),
    interfaces: detectInterfaces(code.hash(), methodIdsOf(code)),
  }
  for (const { methods, read } of KINDS) {
    const found = hasOneOf(contract, methods) ? await read(contracts, id) : null
    if (found !== null) return { ...shown, ...found }
  }
  return shown
}
