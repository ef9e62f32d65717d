// The configuration a chain is born with: every parameter that wallets, get-methods, the emulator and light clients read,
// with the numbers of the real network. What elections go by comes with it, and what only voting and complaints need, because
// tools that parse a whole configuration insist on it.
// It promises a dictionary that the emulator and the public parsers take as it is. It knows no chain: who validates and
// the basechain's zerostate are passed to it. Left out are the parameters that would make a chain mint or burn
// (2, 6, 7), the fee collector (3: fees go to the elector), consensus of a kind that is not ours (30), limits that equal
// the built-in ones (43), and validator sets other than the current one.

export { accountListCell, validatorSetCell } from './configSets.ts'
export { complaintPrices, WEIGHT } from './configValues.ts'
export { electionParams, usualElections } from './electionParams.ts'
export { createGenesisConfig, type GenesisConfigOptions, type GenesisValidator } from './genesisConfig.ts'
