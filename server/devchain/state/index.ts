// States of the two chains as immutable values: parsed once from their cells, and small in memory, because they share their
// trees. It knows the form of a state, not the rules of transitions.

export * from './accountCell.ts'
export * from './accountData.ts'
export * from './accountPatch.ts'
export * from './blockRef.ts'
export * from './chainState.ts'
export * from './moment.ts'
export * from './processed.ts'
export * from './signer.ts'
