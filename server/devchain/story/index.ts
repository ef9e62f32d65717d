// Stories: transactions that a new chain plays at its start, and their player. It promises that each step is played once, also
// after kills of the process, and that nothing else changes the chain until the story has ended. It contains no story.

export { createPlayer, firstValidators, type Player, type StoryProgress } from './player.ts'
export type { Story, StoryValidator } from './story.ts'
