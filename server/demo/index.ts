// The demo: a script of real, signed transactions that uses every contract of the project, played by the well-known
// accounts. A new chain plays all of it, a running service can play parts of it again, and both mint the demo jetton and
// items on request.
// Invariants: the same part of the same round sends the same messages, an interrupted chain continues where it stopped, and
// no step is played twice. This room knows no HTTP.

export { actorOf, createCast, messageOf } from './cast.ts'
export { createRounds } from './demoRounds.ts'
export { DEMO_SECONDS, demoStory, storyFrom } from './demoStory.ts'
export { createGifts } from './gifts.ts'
export { demoParts } from './parts/index.ts'
export { demoCollection } from './parts/items.ts'
export { demoJetton } from './parts/jettons.ts'
export { type Scene, type ScriptPart, scriptCoins } from './script.ts'
