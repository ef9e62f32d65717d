// Stories: transactions that a new chain plays at its start, and their player. It promises that a story is played once, step
// by step, also when the process is killed in between, and that nothing else changes the chain until it has ended. It knows
// no story itself.

export { createPlayer, type Player, type Progress } from './player.ts'
export type { Story, StoryValidator } from './story.ts'
