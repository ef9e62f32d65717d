// States of the two chains as values: read once out of their cells, never changed, cheap to keep by the hundred because
// they share their trees. It knows the form of a state, not the rules that lead from one to the next.

export * from './accountCell.ts'
export * from './accountData.ts'
export * from './accountPatch.ts'
export * from './blockId.ts'
export * from './chainState.ts'
export * from './moment.ts'
export * from './processed.ts'
export * from './signer.ts'
