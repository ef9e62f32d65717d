// What a transfer of an item says, sold or given.

import type { Cell } from '../../../cell/index.ts'
import type { ClassifiedDetails, Roles } from '../../action.ts'
import { Kind } from '../../actionKind.ts'
import type { Comment } from '../../comment.ts'
import { digits, omitNulls } from '../../details.ts'
import { cellText } from '../../reading.ts'
import { forwardedComment } from './forwardedComment.ts'

/** What was paid out to those who sold it. */
export interface Payout {
  readonly amount: bigint | null
  readonly address: string | null
  readonly comment: Comment | null
}

export interface Purchase {
  readonly price: bigint | null
  readonly marketplace: string | null
  readonly marketplaceAddress: string | null
  readonly realOldOwner: string | null
  readonly payout: Payout | null
  readonly royalty: Payout | null
}

export interface NftTransfer {
  readonly item: string
  readonly collection: string | null
  readonly index: bigint
  readonly oldOwner: string | null
  readonly newOwner: string | null
  readonly queryId: bigint
  readonly responseDestination: string | null
  readonly customPayload: string | null
  readonly forwardAmount: bigint | null
  /** Null when the body has none, not even an empty one. */
  readonly forwardPayload: Cell | null
  /** Null when it was given. */
  readonly purchase: Purchase | null
}

export function transferDetails(transfer: NftTransfer): ClassifiedDetails {
  const { purchase, forwardPayload } = transfer
  const comment = forwardPayload === null ? null : forwardedComment(forwardPayload)
  const payout = purchase?.payout ?? null
  return {
    nft_collection: transfer.collection,
    nft_item: transfer.item,
    nft_item_index: digits(transfer.index),
    ...omitNulls({ old_owner: transfer.oldOwner }),
    new_owner: transfer.newOwner,
    is_purchase: purchase !== null,
    ...omitNulls({ price: digits(purchase?.price) }),
    query_id: digits(transfer.queryId),
    response_destination: transfer.responseDestination,
    custom_payload: transfer.customPayload,
    forward_payload: forwardPayload === null ? null : cellText(forwardPayload),
    forward_amount: digits(transfer.forwardAmount),
    comment: comment?.text ?? null,
    is_encrypted_comment: comment?.isEncrypted ?? false,
    marketplace: purchase?.marketplace ?? null,
    real_old_owner: purchase?.realOldOwner ?? null,
    marketplace_address: purchase?.marketplaceAddress ?? null,
    payout_amount: digits(payout?.amount),
    payout_address: payout?.address ?? null,
    payout_comment: payout?.comment?.text ?? null,
    payout_comment_encrypted: payout?.comment?.isEncrypted ?? false,
    payout_comment_encoded: payout?.comment?.isEncrypted ?? false,
    royalty_amount: digits(purchase?.royalty?.amount),
    royalty_address: purchase?.royalty?.address ?? null,
  }
}

export const transferRoles = ({ oldOwner, newOwner, collection, item }: NftTransfer): Roles => ({
  source: oldOwner,
  destination: newOwner,
  asset: collection,
  assetSecondary: item,
})

export const NFT_TRANSFER = new Kind<NftTransfer>({
  type: 'nft_transfer',
  describe: (transfer) => ({ roles: transferRoles(transfer), details: transferDetails(transfer) }),
})
