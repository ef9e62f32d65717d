// The guides of the package: Markdown files in `guides/`, which the README links too.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Guide {
  /** Of its file and of its page. */
  readonly name: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly { readonly name: string; readonly about: string }[]
}

/** In the order of the index. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Build with it',
    guides: [
      { name: 'contracts', about: 'The local chain: wallets, faucet, Blueprint, clock, snapshots, the demo.' },
      {
        name: 'testing',
        about: 'Tests of contracts, each file with a chain of its own; the words of Hardhat and Anvil.',
      },
      { name: 'forking', about: 'A devnet that begins with the accounts of a network.' },
      { name: 'explorer', about: 'The pages at /: accounts, traces, blocks, console, lab; who gets them.' },
      { name: 'dapps', about: 'REST, JSON-RPC and the typed client: batches, lists, several services, wrappers.' },
      { name: 'sending', about: 'Send and wait in one call, wrappers that wait, reads that include what was sent.' },
      { name: 'streams', about: 'Notifications as they happen: predicted, in a block, final; resumed without a gap.' },
      { name: 'webhooks', about: 'Notifications posted to an address: signed, in order, at least once.' },
      { name: 'clients', about: 'What works with the service: @ton/ton, tonweb, Blueprint, generated clients.' },
    ],
  },
  {
    title: 'Run it',
    guides: [
      { name: 'operating', about: 'PostgreSQL, roles, API keys, limits, memory, disk.' },
      { name: 'watching', about: 'Health, metrics, the request log, traces.' },
      { name: 'growing', about: 'From one process to three machines; backup and restore.' },
      { name: 'capacity', about: 'Bytes and processor of a transaction, what a network needs a month, how it splits.' },
      { name: 'network', about: 'Testnet, mainnet, a second process: lite servers, proofs, what an index lacks.' },
      { name: 'configuration', about: 'Every setting, as flag, environment variable and entry of a file.' },
      { name: 'changes', about: 'What each version brought.' },
    ],
  },
  {
    title: 'Work on it',
    guides: [
      { name: 'architecture', about: 'The rooms, the way of a call and of a block, the layout, development.' },
      { name: 'decisions', about: 'Why things are as they are.' },
      { name: 'adding-a-method', about: 'Spec, handler, read, tests.' },
      { name: 'adding-a-rule', about: 'How an action is detected in a trace.' },
    ],
  },
]

export const guideNames: readonly string[] = guideGroups.flatMap(({ guides }) => guides.map(({ name }) => name))

/** Throws when the package has no such file, or one without a title. */
export function readGuide(name: string): Guide {
  const root = dirname(createRequire(import.meta.url).resolve('tonrpc/package.json'))
  const text = readFileSync(join(root, 'server/docs/guides', `${name}.md`), 'utf8')
  const title = /^# (.+)\n/.exec(text)?.[1]
  if (title === undefined) throw new Error(`guide ${name} has no title`)
  return { name, title, text }
}
