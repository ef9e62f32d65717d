// Draws documents in a thread of its own: callers of a service do not wait while it makes one for another caller.
// Promises the texts that the room of the documents makes, and another thread after one that broke down.

export { drawInThread } from './drawInThread.ts'
