// Stories: what a chain plays when it begins, and who plays it. It promises that a story is played once, step by step, whoever
// is killed in between, and that nobody else changes the chain before it is over. It knows no story.

export { createPlayer, type Player, type Progress } from './player.ts'
export type { Episode, Story, StoryStart, StoryValidator } from './story.ts'
