// The chain's own account of what happened: genesis, steps, reverts, marks, changes of the clock. Whatever can be computed
// from these records is never written anywhere else as truth. It knows the form of the records and where they go, not what
// follows from them.

export * from './journal.ts'
export * from './records.ts'
