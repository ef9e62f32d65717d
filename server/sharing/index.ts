// The room of what the processes of one chain share in a Redis: messages that wait for a block, and how far the index is.
//
// Promises: nothing waits for the Redis, and nothing is lost without it; what is read there is checked, bounded and skipped
// when it is not of the expected form; two chains in one Redis do not meet. Does not know: what a message means, who reads
// the index.
export { budgetPrefix } from './chainKeys.ts'
export { RedisConnection, type RedisOptions } from './redisConnection.ts'
export { RedisRefusal, type RedisReply } from './redisReplies.ts'
export { SharedChain } from './sharedChain.ts'
