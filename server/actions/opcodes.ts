// Operations that more than one rule looks at.

import { everyday, jettons, nft } from '../bodies/index.ts'

export const TEXT_COMMENT = everyday.comment.opcode
export const ENCRYPTED_COMMENT = everyday.encryptedComment.opcode
export const EXCESS = everyday.excess.opcode
export const BOUNCE = everyday.bounce.opcode
export const NEW_BOUNCE = everyday.newBounce.opcode
export const JETTON_TRANSFER_OPCODE = jettons.transfer.opcode
export const JETTON_INTERNAL_TRANSFER = jettons.internalTransfer.opcode
export const JETTON_NOTIFY = jettons.notify.opcode
export const JETTON_BURN_OPCODE = jettons.burn.opcode
export const JETTON_BURN_NOTIFICATION = jettons.burnNotification.opcode
export const NFT_TRANSFER_OPCODE = nft.transfer.opcode
export const NFT_OWNERSHIP_ASSIGNED = nft.ownershipAssigned.opcode
