// The journal of the chain: genesis, steps, reverts, marks, changes of the clock. It is the only source of truth; everything
// else on disk can be computed from it. It knows the format of the records and where they are stored, not their effects.

export * from './journal.ts'
export * from './journalRecords.ts'
