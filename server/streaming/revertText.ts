// The notice that blocks above this one were undone, for all that follow the chain or have received one of them.

export const revertText = (mcSeqno: number): string => JSON.stringify({ type: 'chain_reverted', mc_seqno: mcSeqno })
