// Deployment of a jetton, its master and wallets, and the messages they accept (TEP-74, TEP-89).

import { type Builder, beginCell, type Cell } from '../../../cell/index.ts'
import { type AccountAddress, type Deployment, operationBody, snake } from '../../../devchain/index.ts'
import { type Payload, storeAccount, storePayload } from '../body.ts'
import { contractCode, deployment } from '../code.ts'

export interface JettonParts {
  /** May mint and change; no account when null. */
  readonly admin: AccountAddress | null
  /** As in TEP-64. */
  readonly content: Cell
  /** Whether more can be minted; true when absent. */
  readonly mintable?: boolean
}

export interface JettonTransfer {
  readonly queryId: bigint
  /** In the smallest units. */
  readonly amount: bigint
  readonly to: AccountAddress
  /** Receives the rest of the value. */
  readonly responseTo: AccountAddress | null
  readonly customPayload?: Cell
  /** Nanotons sent to the new owner with the payload; zero sends no notification. */
  readonly forwardAmount?: bigint
  readonly forwardPayload?: Payload
}

export interface JettonMint extends Omit<JettonTransfer, 'customPayload'> {
  /** Nanotons for the wallet: its deployment, its storage and what it forwards. */
  readonly value: bigint
  /** Operation of the mint; `named` (0x642b7d07) by default, `numbered` is 0x15. */
  readonly kind?: 'named' | 'numbered'
}

const ops = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  burn: 0x595f07bc,
  mint: { named: 0x642b7d07, numbered: 0x15 },
  setAdmin: 3,
  setContent: 4,
  offerAdmin: 0x6501f354,
  claimAdmin: 0xfb88e119,
  dropAdmin: 0x7431f221,
  setContentUri: 0xcb862902,
  closeMinting: 0x61688dae,
  provideWalletAddress: 0x2c76b973,
} as const

/** A new jetton without supply. */
export function jettonMaster({ admin, content, mintable = true }: JettonParts): Deployment {
  const data = storeAccount(beginCell().storeCoins(0n), admin).storeRef(content).storeRef(contractCode('jetton/wallet'))
  return deployment('jetton/master', (mintable ? data : storeAccount(data, null).storeBit(false)).end())
}

/** The wallet of an owner as the master deploys it. */
export const jettonWallet = (master: AccountAddress, owner: AccountAddress): Deployment =>
  deployment(
    'jetton/wallet',
    storeAccount(storeAccount(beginCell().storeCoins(0n), owner), master)
      .storeRef(contractCode('jetton/wallet'))
      .end(),
  )

const storeForward = (
  builder: Builder,
  { forwardAmount = 0n, forwardPayload = null }: Partial<JettonTransfer>,
): Builder => storePayload(builder.storeCoins(forwardAmount), forwardPayload)

/** For the owner's wallet: transfers jettons to another owner. */
export function jettonTransferBody(transfer: JettonTransfer): Cell {
  const { queryId, amount, to, responseTo, customPayload = null } = transfer
  const head = operationBody(ops.transfer, queryId).storeCoins(amount)
  return storeForward(storeAccount(storeAccount(head, to), responseTo).storeMaybeRef(customPayload), transfer).end()
}

/** For the owner's wallet: burns jettons. */
export function jettonBurnBody(
  burn: Pick<JettonTransfer, 'queryId' | 'amount' | 'responseTo' | 'customPayload'>,
): Cell {
  const { queryId, amount, responseTo, customPayload = null } = burn
  return storeAccount(operationBody(ops.burn, queryId).storeCoins(amount), responseTo)
    .storeMaybeRef(customPayload)
    .end()
}

/** For the master, from its admin: mints jettons. */
export function jettonMintBody(mint: JettonMint): Cell {
  const { queryId, amount, to, responseTo, value, kind = 'named' } = mint
  const head = storeAccount(operationBody(ops.internalTransfer, queryId).storeCoins(amount), null)
  const transfer = storeForward(storeAccount(head, responseTo), mint).end()
  return storeAccount(operationBody(ops.mint[kind], queryId), to).storeCoins(value).storeRef(transfer).end()
}

/** For the master, from any account: queries the wallet of an owner; with `includesOwner` the answer repeats the owner. */
export const provideWalletAddressBody = (queryId: bigint, owner: AccountAddress | null, includesOwner: boolean): Cell =>
  storeAccount(operationBody(ops.provideWalletAddress, queryId), owner).storeBit(includesOwner).end()

/** For the master, from its admin: changes the admin at once. */
export const jettonSetAdminBody = (queryId: bigint, admin: AccountAddress): Cell =>
  storeAccount(operationBody(ops.setAdmin, queryId), admin).end()

/** For the master, from its admin: offers the role to an account, which must claim it. */
export const jettonOfferAdminBody = (queryId: bigint, admin: AccountAddress): Cell =>
  storeAccount(operationBody(ops.offerAdmin, queryId), admin).end()

/** For the master, from the account that was offered the role. */
export const jettonClaimAdminBody = (queryId: bigint): Cell => operationBody(ops.claimAdmin, queryId).end()

/** For the master, from its admin: removes the admin for ever. */
export const jettonDropAdminBody = (queryId: bigint): Cell => operationBody(ops.dropAdmin, queryId).end()

/** For the master, from its admin: changes the content. */
export const jettonSetContentBody = (queryId: bigint, content: Cell): Cell =>
  operationBody(ops.setContent, queryId).storeRef(content).end()

/** For the master, from its admin: changes the link of the content. */
export function jettonSetContentUriBody(queryId: bigint, uri: string): Cell {
  // The text begins in the body itself, after operation and query id.
  const bytes = Buffer.from(uri, 'utf8')
  const builder = operationBody(ops.setContentUri, queryId).storeBytes(bytes.subarray(0, 100))
  return (bytes.length > 100 ? builder.storeRef(snake(bytes.subarray(100))) : builder).end()
}

/** For the master, from its admin: closes minting for ever. */
export const jettonCloseMintingBody = (queryId: bigint): Cell => operationBody(ops.closeMinting, queryId).end()
