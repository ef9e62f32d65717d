// Transactions and block headers of steps, each stored so that it can be read by itself: a history page costs the reading
// of its transactions and not the parsing of the blocks they are in. With each transaction it keeps the text its owner writes
// of it, the transaction itself included: to write it again takes four times as long as to read it.
// It promises that what it returns belongs to the block it was requested for, and that memory does not grow with history
// but by a few bytes a step. Everything in it can be made again from the journal: a step that is missing or damaged is
// reported as missing, then written again. It knows neither queries nor their order of answers.

export { Archive } from './archive.ts'
export { ArchiveData } from './archiveData.ts'
export type { ArchivedTransaction } from './archivedTransaction.ts'
export { ARCHIVE_FILE, ArchiveFiles } from './archiveFiles.ts'
export { type ArchivedStep, ArchiveReader } from './archiveReader.ts'
export { type AtOnce, allOf, andThen } from './atOnce.ts'
export { plainHeaderProof } from './packStep.ts'
export { NO_TEXTS, type TransactionTexts } from './transactionTexts.ts'
