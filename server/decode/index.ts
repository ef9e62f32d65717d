// What bodies of messages say: by a table of schemes, one line per constructor, and a few forms of wallets' requests.
// It promises an answer for every cell, a record or null, within bounds; it knows no chain, no store and no wire beyond
// the JSON it makes.

export { decodeBody, knownOperationName, withCommentFields } from './decodeBody.ts'
export { DecodeBudget } from './decodeBudget.ts'
export { isCommon, schemesFingerprint } from './schemes/index.ts'
export type { DecodedRecord } from './value.ts'
