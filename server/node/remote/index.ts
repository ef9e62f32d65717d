// A chain behind lite servers, believed only as far as it is proven: the adapter that checks every answer, and the head it
// keeps as the end of the chain it trusts.

export { createRemoteChain, type RemoteChainOptions } from './remoteChain.ts'
