// The demo: a script of real, signed transactions through everything there are contracts for, played by the well-known
// accounts. A chain that is begun for it plays all of it; on a running service parts of it can be played again; and whoever
// wants some of its jetton, or one of its items, is given it.
// It promises that the same parts of the same rounds are played by the same messages, that a chain that was interrupted goes
// on where it stopped, and that nothing happens twice. It knows no HTTP.

export { actorOf, createCast, messageOf } from './cast.ts'
export { createGifts } from './gifts.ts'
export { demoParts } from './parts/index.ts'
export { demoCollection } from './parts/items.ts'
export { demoJetton } from './parts/jettons.ts'
export { createRounds } from './rounds.ts'
export { coins, type Part, type Scene } from './script.ts'
export { DEMO_SECONDS, demoStory, storyFrom } from './story.ts'
