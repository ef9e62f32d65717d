export { BlockHasher } from './blockHasher.ts'
