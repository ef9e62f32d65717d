// The protocol of lite servers and the verbs of `LiteServer`: one entry per function converts calls to requests and back,
// and likewise answers. `answerLiteQuery` serves clients from any `LiteServer`; `createLiteServerOver` makes a `LiteServer`
// of anything that carries bytes to a server and back.
// It promises that both directions are inverse, and that any bytes of a client get an answer or a refusal. It knows nothing
// of connections.

export { answerLiteQuery } from './answerLiteQuery.ts'
export { createLiteServerOver, isUnknownFunction } from './createLiteServerOver.ts'
