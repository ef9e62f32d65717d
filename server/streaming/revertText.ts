// Blocks above this one were undone: told to all that follow the chain, and to those that have taken some of them.

export const revertText = (mcSeqno: number): string => JSON.stringify({ type: 'chain_reverted', mc_seqno: mcSeqno })
