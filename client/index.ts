export type { Api } from '../shared/registry.ts'
