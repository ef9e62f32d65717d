// The room of webhooks: notifications posted to endpoints that callers name, read from the index block by block.
//
// It promises that of every webhook each event is posted in order and at least once: the next one is sent when the one before
// was taken, and the place is stored with that. An endpoint that fails is tried again with growing pauses and holds up nothing
// but itself, or others of its owner. It contacts public hosts only, unless the operator allows others.

export { boundedPost } from './boundedPost.ts'
export { Deliverer } from './deliverer.ts'
export { createPost } from './postWebhook.ts'
export type { WebhooksRequest } from './webhooksRequest.ts'
export {
  createWebhooksService,
  verbsOfWebhooks,
  type WebhooksAnswer,
  type WebhooksService,
} from './webhooksService.ts'
