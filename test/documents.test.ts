// README and guides against the project as it is: sizes, links, paths, scripts, flags, settings. What they run is tried in
// readme.test.ts.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../server/cli/flags.ts'
import { type Document, documents, guides, readme } from './setup/documents.ts'
import { settingsFile, withSettings } from './setup/readme.ts'
import { ARROWS } from './setup/rooms.ts'
import { root } from './setup/runningService.ts'

const { scripts, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const at = (path: string) => documents.find((one) => one.path === path)
const textOf = (name: string) => at(`server/docs/guides/${name}.md`)?.text ?? ''

test('sizes: a README of one screen or three, guides of 50 to 250 lines', () => {
  expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(8000)
  const sizes = guides.map(({ path, text }) => ({ path, lines: text.split('\n').length }))
  expect(sizes.filter(({ lines }) => lines < 40 || lines > 260)).toEqual([])
})

test('the README leads to every guide, and all guides begin with a title', () => {
  const unlinked = guides.filter(({ path }) => !readme.text.includes(`(${path})`))
  expect(unlinked.map(({ path }) => path)).toEqual([])
  expect(documents.filter(({ text }) => !/^# \S.*\n\n\S/.test(text)).map(({ path }) => path)).toEqual([])
})

test('the table of settings is the one of today', () => {
  const text = at(settingsFile)?.text ?? ''
  expect(text, 'npm run readme writes it').toBe(withSettings(text))
})

test('a client has one row in the table of clients', () => {
  const names = [...textOf('clients').matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name, place) => names.indexOf(name) < place)).toEqual([])
})

test('the newest change is that of this version', () => {
  expect(/^## (\S+)$/m.exec(textOf('changes'))?.[1]).toBe(version)
})

test('the layout names every room', () => {
  const layout = textOf('architecture')
  expect(Object.keys(ARROWS).filter((room) => !layout.includes(`| \`${room}/\` |`))).toEqual([])
})

describe.each(documents)('$path', (document) => {
  test('links lead somewhere', () => {
    expect(brokenLinks(document)).toEqual([])
  })

  test('paths of files exist', () => {
    const paths = [...document.text.matchAll(/`((?:shared|client|server|test|\.ci)\/[\w./-]*)`/g)]
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('scripts exist', () => {
    const named = [...document.text.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('flags exist', () => {
    const named = [...document.text.matchAll(/(?<![\w-])--([a-z][a-z\d-]*)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !FLAGS.has(name))).toEqual([])
  })

  test('code that is said to be of a file is there', () => {
    const quoted = [...document.text.matchAll(/^From `([^`]+)`:\n\n```ts\n(.*?)^```$/gms)]
    for (const [, path = '', code = ''] of quoted) expect(readFileSync(join(root, path), 'utf8')).toContain(code)
  })
})

/** Of this program, its commands (each tried in readme.test.ts or named in their help), Node, Docker, pg_dump and Blueprint. */
const FLAGS = new Set([
  ...settings.map(({ flag }) => flag),
  'config',
  'help',
  'only',
  'times',
  'move-clock',
  'plan',
  'rps',
  'label',
  'all-accounts',
  'url',
  'json',
  'monthly',
  'days',
  'types',
  'addresses',
  'key-file',
  'max-semi-space-size',
  'profile',
  'build',
  'detach',
  'format',
  'dry-run',
  'project',
  'from',
  'file',
  'no-owner',
  'dbname',
  'custom',
  'custom-version',
  'custom-type',
  'type',
  'mnemonic',
])

function brokenLinks({ path, text, anchors }: Document): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target)
  return links.filter((target) => {
    if (/^https?:/.test(target)) return false
    const [file = '', anchor] = target.split('#')
    const linked = join(dirname(path), file)
    if (file !== '' && !existsSync(join(root, linked))) return true
    return anchor !== undefined && !(file === '' ? anchors : (at(linked)?.anchors ?? [])).includes(anchor)
  })
}

test('what these tests would find', () => {
  const made = (text: string): Document => ({ path: 'README.md', text, blocks: [], anchors: ['here'] })
  expect(brokenLinks(made('[a](#here) [b](LICENSE) [c](server/docs/guides/dapps.md#lists)'))).toEqual([])
  const wrong = ['#there', 'MISSING', 'server/docs/guides/dapps.md#nothing']
  expect(brokenLinks(made(wrong.map((target) => `[x](${target})`).join(' ')))).toEqual(wrong)
})
