// README and guides as tests read them: text, headings, blocks of code.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from '../../server/docs/pages/markdown.ts'
import { root } from './runningService.ts'

export const GUIDES = 'server/docs/guides'

export interface Block {
  readonly language: string
  readonly code: string
}

export interface Document {
  /** Path from the root of the project. */
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
  /** Targets of links to it: GitHub's form of each heading. */
  readonly anchors: readonly string[]
}

const blocksOf = (text: string): readonly Block[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }))

function readDocument(path: string): Document {
  const text = readFileSync(join(root, path), 'utf8')
  const prose = text.replaceAll(/^```.*?^```$/gms, '')
  const anchors = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => anchorOf(title))
  return { path, text, blocks: blocksOf(text), anchors }
}

export const readme = readDocument('README.md')
export const guides: readonly Document[] = readdirSync(join(root, GUIDES))
  .filter((name) => name.endsWith('.md'))
  .sort()
  .map((name) => readDocument(`${GUIDES}/${name}`))
export const documents: readonly Document[] = [readme, ...guides]

/** The commands of a shell block, each whole: a quoted text or a backslash carries it over lines. */
export function commandsOf({ language, code }: Block): readonly string[] {
  if (language !== 'sh') return []
  const commands: string[] = []
  let open = ''
  for (const line of code.trimEnd().split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    const isQuoted = open.split("'").length % 2 === 0
    if (isQuoted || open.endsWith('\\')) continue
    commands.push(open)
    open = ''
  }
  return open === '' ? commands : [...commands, open]
}
