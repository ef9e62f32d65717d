// Real mainnet blocks, as a node stored them.

import { readFileSync } from 'node:fs'

export const blockNames = ['block-1', 'block-4', 'block-5'] as const

const folder = new URL('../../fixtures/blocks/', import.meta.url)

export const blockBytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`${name}.boc`, folder)))
export const blockFacts = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8'))
