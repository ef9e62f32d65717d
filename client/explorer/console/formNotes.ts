// What a person has to bring along, for methods that no example can call.

const SIGNED =
  'The contract must accept the message: put in one that was signed now, such as a wallet makes. That of the example was sent long ago, and is refused. On a devnet the lab signs and sends messages of the test wallets.'

const PENDING =
  'There is something to see only while a message that was sent here is in no block yet. On a devnet set mining to manual in the lab, and send one.'

const SILENT = 'The answer is null when it is done, as that of Acton is. v3.abis shows what is kept.'

const NOTES: Readonly<Record<string, string>> = {
  sendBoc: SIGNED,
  sendBocReturnHash: SIGNED,
  sendBocReturnHashNoError: SIGNED,
  'v3.message': SIGNED,
  'v3.sendAndWait': SIGNED,
  'v3.pendingTransactions': PENDING,
  'v3.pendingActions': PENDING,
  'v3.pendingTraces': PENDING,
  getLibraries: 'Put in hashes of public libraries: a new chain has none.',
  acton_setAddressName: SILENT,
  acton_registerCompilerAbis: SILENT,
  acton_registerCompilerAbi: SILENT,
  'dev.revert': 'Only back to a snapshot: dev.snapshot takes one.',
}

/** Null for a method whose first call answers something. */
export const formNoteOf = (method: string): string | null =>
  Object.hasOwn(NOTES, method) ? (NOTES[method] ?? null) : null
