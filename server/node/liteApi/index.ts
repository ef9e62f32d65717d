// The language of lite servers and the verbs of `LiteServer`: one entry per function says how a request is made of a call,
// a call of a request, and the same of the answers. One side serves strangers out of any `LiteServer`; the other is a
// `LiteServer` out of anything that carries bytes to a server and back.
// It promises that an answer that went through both is the one the server gave, and that a stranger's bytes meet an answer
// or a refusal. It knows nothing of connections.

export { answerLiteQuery } from './answerLiteQuery.ts'
export { createLiteServerOver } from './createLiteServerOver.ts'
