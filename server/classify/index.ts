// For whoever writes rules: a trace out of a file or a running service, printed as a tree with what the rules of this
// checkout make of it. It writes nothing anywhere, and promises a text or one ClassifyError that says what was wrong.

export { ClassifyError } from './errors.ts'
export { readJsonFile, type TraceFile, traceOfFile } from './file.ts'
export type { KnownTrace } from './knownTrace.ts'
export { traceOfService } from './service.ts'
export { traceText } from './tree.ts'
