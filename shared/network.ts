export const NETWORKS = ['devnet', 'testnet', 'mainnet', 'custom'] as const

/** The chain one process serves; keys are bound to one. */
export type Network = (typeof NETWORKS)[number]
