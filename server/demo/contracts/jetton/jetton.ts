// Deployment of a jetton, its master and wallets, and the messages they accept (TEP-74, TEP-89).

import { jettons } from '../../../bodies/index.ts'
import { beginCell, type Cell, openCell } from '../../../cell/index.ts'
import { type AccountId, type Deployment, operationBody, snake } from '../../../devchain/index.ts'
import { cellWriter, type OrderPayload, payloadParts, storeAddressOrNone } from '../body.ts'
import { contractCode, deployment } from '../code.ts'

export interface JettonParts {
  /** May mint and change; no account when null. */
  readonly admin: AccountId | null
  /** As in TEP-64. */
  readonly content: Cell
  /** Whether more can be minted; true when absent. */
  readonly mintable?: boolean
}

export interface JettonTransferOrder {
  readonly queryId: bigint
  /** In the smallest units. */
  readonly amount: bigint
  readonly to: AccountId
  /** Receives the rest of the value. */
  readonly responseTo: AccountId | null
  readonly customPayload?: Cell
  /** Nanotons sent to the new owner with the payload; zero sends no notification. */
  readonly forwardAmount?: bigint
  readonly forwardPayload?: OrderPayload
}

export interface JettonMintOrder extends Omit<JettonTransferOrder, 'customPayload'> {
  /** Nanotons for the wallet: its deployment, its storage and what it forwards. */
  readonly value: bigint
  /** Operation of the mint; `named` (0x642b7d07) by default, `numbered` is 0x15. */
  readonly kind?: 'named' | 'numbered'
}

/** A new jetton without supply. */
export function jettonMasterInit({ admin, content, mintable = true }: JettonParts): Deployment {
  const data = storeAddressOrNone(beginCell().storeCoins(0n), admin)
    .storeRef(content)
    .storeRef(contractCode('jetton/wallet'))
  return deployment('jetton/master', (mintable ? data : storeAddressOrNone(data, null).storeBit(false)).end())
}

/** The wallet of an owner as the master deploys it. */
export const jettonWalletInit = (master: AccountId, owner: AccountId): Deployment =>
  deployment(
    'jetton/wallet',
    storeAddressOrNone(storeAddressOrNone(beginCell().storeCoins(0n), owner), master)
      .storeRef(contractCode('jetton/wallet'))
      .end(),
  )

const writeTransfer = cellWriter(jettons.transfer)
const writeInternalTransfer = cellWriter(jettons.internalTransfer)
const writeProvideWalletAddress = cellWriter(jettons.provideWalletAddress)
const writeMetadata = cellWriter(jettons.changeMetadata)
const writeMint = { named: cellWriter(jettons.mint), numbered: cellWriter(jettons.minterMint) } as const

/** For the owner's wallet: transfers jettons to another owner. */
export const jettonTransferBody = (transfer: JettonTransferOrder): Cell =>
  writeTransfer({
    queryId: transfer.queryId,
    amount: transfer.amount,
    destination: transfer.to,
    responseDestination: transfer.responseTo,
    customPayload: transfer.customPayload ?? null,
    forwardTonAmount: transfer.forwardAmount ?? 0n,
    forwardPayload: payloadParts(transfer.forwardPayload),
  })

const writeBurn = cellWriter(jettons.burn)

/** For the owner's wallet: burns jettons. */
export const jettonBurnBody = (
  burn: Pick<JettonTransferOrder, 'queryId' | 'amount' | 'responseTo' | 'customPayload'>,
): Cell =>
  writeBurn({
    queryId: burn.queryId,
    amount: burn.amount,
    responseDestination: burn.responseTo,
    customPayload: burn.customPayload ?? null,
  })

/** For the master, from its admin: mints jettons. */
export function jettonMintBody(mint: JettonMintOrder): Cell {
  const { queryId, amount, to, responseTo, value, kind = 'named' } = mint
  const masterMsg = writeInternalTransfer({
    queryId,
    amount,
    from: null,
    responseAddress: responseTo,
    forwardTonAmount: mint.forwardAmount ?? 0n,
    forwardPayload: payloadParts(mint.forwardPayload),
  })
  return writeMint[kind]({ queryId, toAddress: to, tonAmount: value, masterMsg })
}

/** For the master, from any account: queries the wallet of an owner; with `includesOwner` the answer repeats the owner. */
export const provideWalletAddressBody = (
  queryId: bigint,
  ownerAddress: AccountId | null,
  includesOwner: boolean,
): Cell => writeProvideWalletAddress({ queryId, ownerAddress, includeAddress: includesOwner })

const writeSetAdmin = cellWriter(jettons.setAdmin)
const writeOfferAdmin = cellWriter(jettons.changeAdmin)
const writeSetContent = cellWriter(jettons.setContent)

/** For the master, from its admin: changes the admin at once. */
export const jettonSetAdminBody = (queryId: bigint, admin: AccountId): Cell => writeSetAdmin({ queryId, admin })

/** For the master, from its admin: offers the role to an account, which must claim it. */
export const jettonOfferAdminBody = (queryId: bigint, admin: AccountId): Cell =>
  writeOfferAdmin({ queryId, newAdminAddress: admin })

/** For the master, from the account that was offered the role. */
export const jettonClaimAdminBody = (queryId: bigint): Cell => operationBody(jettons.claimAdmin.opcode, queryId).end()

/** For the master, from its admin: removes the admin for ever. */
export const jettonDropAdminBody = (queryId: bigint): Cell => operationBody(jettons.dropAdmin.opcode, queryId).end()

/** For the master, from its admin: changes the content. */
export const jettonSetContentBody = (queryId: bigint, content: Cell): Cell => writeSetContent({ queryId, content })

/** For the master, from its admin: changes the link of the content. */
export function jettonSetContentUriBody(queryId: bigint, uri: string): Cell {
  // The text begins in the body itself, after operation and query id.
  const bytes = Buffer.from(uri, 'utf8')
  const builder = beginCell().storeBytes(bytes.subarray(0, 100))
  const metadata = bytes.length > 100 ? builder.storeRef(snake(bytes.subarray(100))) : builder
  return writeMetadata({ queryId, metadata: openCell(metadata.end()) })
}

/** For the master, from its admin: closes minting for ever. */
export const jettonCloseMintingBody = (queryId: bigint): Cell =>
  operationBody(jettons.closeMinting.opcode, queryId).end()
