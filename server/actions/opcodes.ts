// Operations that more than one rule looks at.

export const TEXT_COMMENT = 0
export const ENCRYPTED_COMMENT = 0x2167da4b
export const EXCESS = 0xd53276db
export const BOUNCE = 0xffffffff
export const JETTON_TRANSFER = 0x0f8a7ea5
export const JETTON_INTERNAL_TRANSFER = 0x178d4519
export const JETTON_NOTIFY = 0x7362d09c
export const JETTON_BURN = 0x595f07bc
export const JETTON_BURN_NOTIFICATION = 0x7bdd97de
export const NFT_TRANSFER = 0x5fcc3d14
export const NFT_OWNERSHIP_ASSIGNED = 0x05138d91

/** As it is shown. */
export const opcodeText = (opcode: number): string => `0x${opcode.toString(16).padStart(8, '0')}`
